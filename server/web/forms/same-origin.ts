import type { HonoRequest } from 'hono';

/**
 * Whether a form was posted from our own pages, according to the browser (Fetch Metadata; else Origin, RFC 6454). A
 * client that sends neither header is not a browser, so no other site can be misusing it.
 */
export function isSameOrigin(request: HonoRequest, publicUrl: string): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.header('origin');
  if (origin === undefined) return true;
  if (origin === publicUrl) return true;
  // Behind a proxy the scheme is unknown here, but the requested host is known.
  return URL.canParse(origin) && new URL(origin).host === request.header('host');
}
