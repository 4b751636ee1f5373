import type { ServerBuild } from 'react-router';
import { freePort } from '#server/free-port.ts';
import { type PageBuild, type Pages, pageBuildOf } from './pages.ts';

/** The app straight from its sources, made new after each change; the browser is told over a socket of Vite's own. */
export async function openVitePages(root: string): Promise<Pages> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root,
    // Read as it stands: the copy that Vite would make of it is a file that the watcher of the server sees change.
    configLoader: 'native',
    appType: 'custom',
    // Any free port: two development servers on one machine do not meet.
    server: { middlewareMode: true, hmr: { port: await freePort() } },
  });
  let last: { build: ServerBuild; page: PageBuild } | undefined;
  return {
    viteMiddleware: vite.middlewares,
    async current() {
      // The router's own virtual module, whose shape this type is.
      const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild;
      if (last?.build !== build) last = { build, page: pageBuildOf(build, 'development') };
      return last.page;
    },
    close: () => vite.close(),
  };
}
