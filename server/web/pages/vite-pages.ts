import type { ServerBuild } from 'react-router';
import { freePort } from '#server/postgres/embedded/free-port.ts';
import { type PageBuild, type Pages, pageBuildOf } from './pages.ts';

/** Serves the app from its sources and reloads the browser through Vite's own WebSocket. */
export async function openVitePages(root: string): Promise<Pages> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root,
    // Vite would otherwise copy the config to a file, which the server's file watcher would report as a change.
    configLoader: 'native',
    appType: 'custom',
    // Any free port, so that several development servers can run on one machine.
    server: { middlewareMode: true, hmr: { port: await freePort() } },
  });
  let last: { build: ServerBuild; page: PageBuild } | undefined;
  return {
    viteMiddleware: vite.middlewares,
    async current() {
      // The router's virtual module has this type.
      const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild;
      if (last?.build !== build) last = { build, page: pageBuildOf(build, 'development') };
      return last.page;
    },
    close: () => vite.close(),
  };
}
