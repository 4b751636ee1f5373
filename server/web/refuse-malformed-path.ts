import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { FinderDocuments } from './finder/finder-documents.ts';

/** A path whose percent-encoding is broken names nothing (RFC 3986 section 2.1), and no later reader has to cope with it. */
export function refuseMalformedPath(documents: FinderDocuments): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    // Most have none, and a URL costs more than the look.
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
