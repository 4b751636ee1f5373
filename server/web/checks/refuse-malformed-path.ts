import type { RequestCheck } from '#server/http/request-checks.ts';
import type { FinderDocuments } from '#server/web/finder/finder-documents.ts';

/**
 * Rejects a path with malformed percent-encoding (RFC 3986, section 2.1), so that no later handler has to deal with it.
 */
export function refuseMalformedPath(documents: FinderDocuments): RequestCheck {
  return (c) => {
    // Most paths have no percent sign, and parsing a URL costs more than this check.
    if (!c.req.url.includes('%')) return undefined;
    try {
      decodeURIComponent(new URL(c.req.url).pathname);
      return undefined;
    } catch {
      return documents.notice(c, 'nowhere', null, 400);
    }
  };
}
