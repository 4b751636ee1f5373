import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { FinderDocuments } from './finder/finder-documents.ts';

/**
 * Rejects a path with malformed percent-encoding (RFC 3986, section 2.1), so that no later handler has to deal with it.
 */
export function refuseMalformedPath(documents: FinderDocuments): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    // Most paths have no percent sign, and parsing a URL costs more than this check.
    if (c.req.url.includes('%')) {
      try {
        decodeURIComponent(new URL(c.req.url).pathname);
      } catch {
        return documents.notice(c, 'nowhere', null, 400);
      }
    }
    return next();
  };
}
