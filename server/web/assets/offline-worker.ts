import type { Context } from 'hono';
import type { Config } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { defaultHeaders, isPublicHttps } from '#server/http/default-headers.ts';
import { ownerLanguage } from '#server/languages/owner-language.ts';
import { brandStylesOffline } from '#server/web/brand/brand-styles.ts';
import type { Pages } from '#server/web/pages/pages.ts';
import { appHeaders, offlinePolicy, serviceWorkerPolicy } from '#server/web/pages/security-headers.ts';

/**
 * Serves the script of the service worker, with the offline page embedded. Nothing else needs to be fetched or cached,
 * and browsers detect a changed page as a changed script. Where the operator has disabled the page, the script
 * unregisters an earlier worker.
 */
export function offlineWorker(pages: Pages, config: Config) {
  const brandStyles = brandStylesOffline(config.brand);
  return async (c: Context<AppEnv>): Promise<Response> => {
    const { offline } = await pages.current();
    const upgrade = isPublicHttps(config);
    const page = config.offlinePage
      ? {
          html: offline.render(config.productName, await ownerLanguage(c, config), brandStyles),
          headers: {
            // The worker serves these headers itself.
            ...Object.fromEntries(defaultHeaders(config)),
            ...appHeaders,
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': offlinePolicy(offline.inlined, brandStyles, { upgrade }),
            'Cache-Control': 'no-store',
          },
        }
      : null;
    return c.body(`const OFFLINE_PAGE=${JSON.stringify(page)};\n${offline.workerScript}`, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Content-Security-Policy': serviceWorkerPolicy,
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Language, Cookie',
    });
  };
}
