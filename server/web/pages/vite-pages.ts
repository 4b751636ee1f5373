import { createServer as createTcpServer } from 'node:net';
import type { ServerBuild } from 'react-router';
import { type PageBuild, type Pages, pageBuildOf } from './pages.ts';

/** The app straight from its sources, made new after each change; the browser is told over a socket of Vite's own. */
export async function openVitePages(root: string): Promise<Pages> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root,
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createTcpServer();
    probe.once('error', reject);
    probe.listen(0, 'localhost', () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('The system gave no free port.'));
        else resolve(address.port);
      });
    });
  });
}
