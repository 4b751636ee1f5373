import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Pages } from './pages/pages.ts';

/** Development: lets Vite answer for its modules on the very same port, and goes on with what it does not know. */
export function viteModules(vite: NonNullable<Pages['viteMiddleware']>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env ?? {};
    // A request from within the process has no socket, and wants no module either.
    if (incoming === undefined || outgoing === undefined || !('httpVersionMajor' in incoming)) return next();
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next();
    const answered = await new Promise<boolean>((resolve, reject) => {
      outgoing.once('close', () => resolve(true));
      // HTTP/2 is not what we listen with, so these are Node's plain request and response.
      vite(incoming as never, outgoing as never, (error) => (error === undefined ? resolve(false) : reject(error)));
    });
    return answered ? RESPONSE_ALREADY_SENT : next();
  };
}
