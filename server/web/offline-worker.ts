import type { Context } from 'hono';
import type { Config } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { everyAnswer, isPublicHttps } from '#server/http/every-answer.ts';
import type { Pages } from './pages/pages.ts';
import { documentHeaders, offlinePolicy, serviceWorkerPolicy } from './security-headers.ts';

/**
 * The script of the service worker, with the page that it answers with written into it: so nothing has to be fetched or
 * kept, and another page is another script, which browsers notice by themselves. Where the operator wants none, the
 * script removes the worker that an earlier one left in a browser.
 */
export function offlineWorker(pages: Pages, config: Config) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    const { offline } = await pages.current();
    const upgrade = isPublicHttps(config);
    const page = config.offlinePage
      ? {
          html: offline.render(config.productName),
          headers: {
            // The worker answers with it, and no server of ours.
            ...Object.fromEntries(everyAnswer(config)),
            ...documentHeaders,
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': offlinePolicy(offline.inlined, { upgrade }),
            'Cache-Control': 'no-store',
          },
        }
      : null;
    return c.body(`const OFFLINE_PAGE=${JSON.stringify(page)};\n${offline.workerScript}`, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Content-Security-Policy': serviceWorkerPolicy,
      'Cache-Control': 'no-cache',
    });
  };
}
