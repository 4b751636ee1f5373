import type { HonoRequest } from 'hono';

/**
 * Whether a form was posted from a page of ours, as the browser itself tells (Fetch Metadata; else Origin, RFC 6454).
 * A client that sends neither header is no browser that another site could be using.
 */
export function isSameOrigin(request: HonoRequest, publicUrl: string): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.header('origin');
  if (origin === undefined) return true;
  if (origin === publicUrl) return true;
  // Behind a proxy the scheme is not known here; the name that the browser asked for is.
  return URL.canParse(origin) && new URL(origin).host === request.header('host');
}
