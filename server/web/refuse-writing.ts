import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';

/** Rejects methods other than GET and HEAD before they reach the router (RFC 9110, section 15.5.6). */
export const refuseWriting: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
  return c.text('Method not allowed', 405, { Allow: 'GET, HEAD', Connection: 'close' });
};
