import type { Context } from 'hono';
import { SCAN_HASH } from '#domain/tag-code/scan-address.ts';
import type { Config } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { ownerLanguage } from '#server/languages/owner-language.ts';
import { landingWords } from '#words/landing.ts';

/** The colors of `app/ui/style/tokens.css`: the light canvas, and the dark green of the tag's cards. */
const CANVAS = '#f3f7f4';
const NIGHT = '#0a3d34';

/**
 * Serves the web app manifest (https://www.w3.org/TR/appmanifest/), with which an owner installs the app on the home
 * screen: under the operator's product name, starting with the items, with shortcuts to them and to the scanner.
 */
export function webManifest(config: Pick<Config, 'productName' | 'defaultLanguage'>) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    const language = await ownerLanguage(c, config);
    const { tag, direction, texts } = language;
    const { dashboard } = texts;
    const icons = [icon('/icon-192.png', '192x192'), icon('/icon-512.png', '512x512')];
    const manifest = {
      id: '/',
      name: config.productName,
      short_name: config.productName,
      description: landingWords(language).headline,
      lang: tag,
      dir: direction,
      start_url: '/dashboard',
      scope: '/',
      display: 'standalone',
      background_color: CANVAS,
      theme_color: NIGHT,
      icons: [...icons, { ...icon('/icon-maskable-512.png', '512x512'), purpose: 'maskable' }],
      shortcuts: [
        { name: dashboard.scanToTag, url: `/dashboard${SCAN_HASH}`, icons: icons.slice(0, 1) },
        { name: dashboard.title, url: '/dashboard', icons: icons.slice(0, 1) },
      ],
    };
    return c.body(JSON.stringify(manifest), 200, {
      'Content-Type': 'application/manifest+json; charset=utf-8',
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Language, Cookie',
    });
  };
}

function icon(src: string, sizes: string) {
  return { src, sizes, type: 'image/png' };
}
