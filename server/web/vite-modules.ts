import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Pages } from './pages/pages.ts';

/** In development, lets Vite serve its modules on the same port and passes on all other requests. */
export function viteModules(vite: NonNullable<Pages['viteMiddleware']>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env ?? {};
    // An in-process request has no socket and never requests modules.
    if (incoming === undefined || outgoing === undefined || !('httpVersionMajor' in incoming)) return next();
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next();
    const handled = await new Promise<boolean>((resolve, reject) => {
      outgoing.once('close', () => resolve(true));
      // The server does not use HTTP/2, so these are Node's HTTP/1 request and response.
      vite(incoming as never, outgoing as never, (error) => (error === undefined ? resolve(false) : reject(error)));
    });
    return handled ? RESPONSE_ALREADY_SENT : next();
  };
}
