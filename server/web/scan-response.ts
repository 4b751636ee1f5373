import type { Context, MiddlewareHandler } from 'hono';
import { resolveTagCode } from '#domain/resolve-tag-code.ts';
import { isTagCode } from '#domain/tag-code.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { FinderDocuments } from './finder/finder-documents.ts';
import type { LookUpCode } from './finder/look-up-code.ts';
import type { Pages } from './pages/pages.ts';

export interface ScanRedirectOptions {
  readonly pages: Pages;
  readonly documents: FinderDocuments;
  readonly lookUp: LookUpCode;
  readonly isSignedIn: (cookieHeader: string | undefined) => boolean;
}

/**
 * What a sticker or a generated link opens, answered with one 302 so that a scan costs one page: `/tgt-…`, `/qr?…`,
 * `/?code=…` and every path that no screen has. Where the address names no code the browser may still know one, so
 * the app goes on.
 */
export function scanRedirect(options: ScanRedirectOptions): MiddlewareHandler<AppEnv> {
  const { pages, documents, lookUp, isSignedIn } = options;

  async function goTo(c: Context<AppEnv>, code: string): Promise<Response> {
    c.header('Cache-Control', 'no-store');
    c.header('Vary', 'Cookie');
    if (isSignedIn(c.req.header('cookie'))) return c.redirect(`/item/${code}`, 302);
    const found = await lookUp(code, c.get('clientAddress'));
    if (found.kind === 'found') return c.redirect(`/item/${code}`, 302);
    if (found.kind === 'missing') return c.redirect(`/auth/${code}`, 302);
    c.header('Retry-After', String(found.retryAfterSeconds));
    return documents.notice(c, 'too-many', null, 429);
  }

  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next();
    // The usual one: the screens of an item are no scan without a query, and a URL costs more than the look.
    if (c.req.path.startsWith('/item/') && !c.req.url.includes('?')) return next();
    const { pathname, search } = new URL(c.req.url);
    // The app's router asks for data here, and follows no redirect of a page.
    if (pathname.endsWith('.data')) return next();
    const code = await codeOfScan(pages, pathname, search);
    if (code !== null) return goTo(c, code);

    // On the screens of an item a `?code=` names another one (specification, section 2).
    if (pathname.startsWith('/item/') && search !== '') {
      const other = new URLSearchParams(search).get('code');
      if (other !== null && isTagCode(other)) return c.redirect(`/item/${other}`, 302);
    }
    return next();
  };
}

/** The code that such an address names; null where it names none or is a screen of its own. */
async function codeOfScan(pages: Pages, pathname: string, search: string): Promise<string | null> {
  if (pathname === '/') {
    // Only a generated link: with `qr_id` the landing page is shown, knowing the code.
    const code = search === '' ? null : new URLSearchParams(search).get('code');
    return code !== null && isTagCode(code) ? code : null;
  }
  if (pathname.startsWith('/item/') || pathname === '/auth/callback') return null;
  const code = resolveTagCode({ pathname, search });
  if (code === null || pathname.startsWith('/tgt-') || pathname === '/qr') return code;
  return (await pages.current()).hasRoute(pathname) ? null : code;
}
