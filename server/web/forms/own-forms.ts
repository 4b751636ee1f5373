import type { Context, HonoRequest, Next } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { visitorLanguage } from '#server/languages/visitor-language.ts';
import { wantsJson } from './wants-json.ts';

/** Rejects methods other than POST and cross-site posts. */
export function onlyOwnForms(publicUrl: string) {
  return async (c: Context<AppEnv>, next: Next) => {
    if (c.req.method !== 'POST') return c.text('Method not allowed', 405, { Allow: 'POST' });
    return isSameOrigin(c.req, publicUrl) ? next() : refuseForm(c, 403);
  };
}

/** A short refusal in the requested format, for requests that our forms never send. */
export function refuseForm(c: Context<AppEnv>, status: 400 | 403 | 413 | 415): Response {
  const { common, finder } = visitorLanguage(c).texts;
  const text = status === 403 ? finder.foreignForm : common.anErrorOccurred;
  return wantsJson(c) ? c.json({ problem: text }, status) : c.text(text, status);
}

/**
 * Whether a form was posted from our own pages, according to the browser (Fetch Metadata; else Origin, RFC 6454). A
 * client that sends neither header is not a browser, so no other site can be misusing it.
 */
function isSameOrigin(request: HonoRequest, publicUrl: string): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.header('origin');
  if (origin === undefined) return true;
  if (origin === publicUrl) return true;
  // Behind a proxy the scheme is unknown here, but the requested host is known.
  return URL.canParse(origin) && new URL(origin).host === request.header('host');
}
