import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';

/** A path whose percent-encoding is broken names nothing (RFC 3986 section 2.1), and no later reader has to cope with it. */
export const refuseMalformedPath: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { pathname } = new URL(c.req.url);
  if (pathname.includes('%')) {
    try {
      decodeURIComponent(pathname);
    } catch {
      return c.text('This address is not well-formed.', 400);
    }
  }
  return next();
};
