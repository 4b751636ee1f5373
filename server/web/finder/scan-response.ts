import type { Context } from 'hono';
import { resolveTagCode } from '#domain/tag-code/resolve-tag-code.ts';
import { SCANNED_HASH } from '#domain/tag-code/scan-address.ts';
import { codeBeforeMarks } from '#domain/tag-code/tag-code.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { RequestCheck } from '#server/http/request-checks.ts';
import type { Pages } from '#server/web/pages/pages.ts';
import type { FinderDocuments } from './finder-documents.ts';
import { findWithoutMarks, type LookUpCode } from './look-up-code.ts';
import type { NoteScan } from './note-scan.ts';
import type { ShowItem } from './show-item.ts';

export interface ScanResponseOptions {
  readonly pages: Pages;
  readonly documents: FinderDocuments;
  readonly lookUp: LookUpCode;
  readonly show: ShowItem;
  readonly noteScan: NoteScan;
  readonly isSignedIn: (cookieHeader: string | undefined) => boolean;
}

/**
 * Responds to what a sticker or a generated link opens: `/tgt-…`, `/qr?…`, `/?code=…` and every path without a screen.
 * To a visitor, a sticker's own address serves the finder's page: on a slow connection, a redirect would be half the
 * wait ([decision 57](../../docs/decisions/0057-a-stickers-address-serves-the-page.md)). All others get a single 302.
 * Where the URL names no code, the browser may still have one stored, so the app continues.
 */
export function scanResponse(options: ScanResponseOptions): RequestCheck {
  const { pages, documents, lookUp, show, noteScan, isSignedIn } = options;

  async function respond(c: Context<AppEnv>, code: string, isSticker: boolean): Promise<Response> {
    // Whose code it is only the app knows, which then notes the scan.
    if (isSignedIn(c.req.header('cookie'))) return redirect(c, `/item/${code}${SCANNED_HASH}`);
    const found = await lookUp(code, c.get('clientAddress'));
    const meant = found.kind === 'missing' ? await findWithoutMarks(lookUp, code, c.get('clientAddress')) : null;
    if (meant !== null) {
      noteScan(c, meant);
      return redirect(c, `/item/${meant.code}`);
    }
    if (found.kind === 'found') {
      noteScan(c, found.entry);
      return isSticker ? show(c, found.entry, { sent: false }) : redirect(c, `/item/${code}`);
    }
    if (found.kind === 'missing') {
      return found.isClaimable ? redirect(c, `/auth/${code}`) : documents.notice(c, 'not-in-use', null, 404);
    }
    c.header('Retry-After', String(found.retryAfterSeconds));
    return documents.notice(c, 'too-many', null, 429);
  }

  return (c) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return undefined;
    // Common case first: an item's screen without a query is not a scan, and parsing a URL costs more than this check.
    if (c.req.path.startsWith('/item/') && !c.req.url.includes('?')) return undefined;
    return respondToScan(c);
  };

  async function respondToScan(c: Context<AppEnv>): Promise<Response | undefined> {
    const { pathname, search } = new URL(c.req.url);
    // The app's router requests data and does not follow a page's redirect.
    if (pathname.endsWith('.data')) return undefined;
    const code = await codeOfScan(pages, pathname, search);
    if (code !== null) return respond(c, code, pathname === `/${code}`);

    // On an item's screen, `?code=` names another item (specification, section 2).
    if (pathname.startsWith('/item/') && search !== '') {
      const other = new URLSearchParams(search).get('code');
      const code = other === null ? null : codeBeforeMarks(other);
      if (code !== null) return c.redirect(`/item/${code}`, 302);
    }
    return undefined;
  }
}

/** What a scan leads to depends on who is signed in and on what happens to the code. */
function redirect(c: Context<AppEnv>, path: string): Response {
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Cookie');
  return c.redirect(path, 302);
}

/** Returns the code that a scanned URL names, or null where it names none or is a screen. */
async function codeOfScan(pages: Pages, pathname: string, search: string): Promise<string | null> {
  if (pathname === '/') {
    // Only for a generated link: with `qr_id` the landing page is shown with the code.
    const code = search === '' ? null : new URLSearchParams(search).get('code');
    return code === null ? null : codeBeforeMarks(code);
  }
  if (pathname.startsWith('/item/') || pathname === '/auth/callback') return null;
  const code = resolveTagCode({ pathname, search });
  if (code === null || pathname.startsWith('/tgt-') || pathname === '/qr') return code;
  return (await pages.current()).hasRoute(pathname) ? null : code;
}
