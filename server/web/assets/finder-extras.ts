import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { etagOf, isFresh } from '#server/http/etag.ts';
import { visitorLanguage } from '#server/languages/visitor-language.ts';
import type { Pages } from '#server/web/pages/pages.ts';

/**
 * Serves the script that the finder's page loads for a photo or a location, with its texts. Its path never changes, so that
 * a page that has been open since before an update finds it.
 */
export function finderExtras(pages: Pages) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    const { extras } = await pages.current();
    const body = `var EXTRAS_TEXTS=${JSON.stringify(extras.texts(visitorLanguage(c)))};\n${extras.script}`;
    const headers = {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'no-cache',
      ETag: etagOf(body),
      Vary: 'Accept-Encoding, Accept-Language, Cookie',
    };
    return isFresh(c.req.header('if-none-match'), headers.ETag)
      ? c.body(null, 304, headers)
      : c.body(body, 200, headers);
  };
}
