import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { RequestCheck } from '#server/http/request-checks.ts';
import type { Pages } from '#server/web/pages/pages.ts';

/** In development, lets Vite serve its modules on the same port and passes on all other requests. */
export function viteModules(vite: NonNullable<Pages['viteMiddleware']>): RequestCheck {
  return async (c) => {
    const { incoming, outgoing } = c.env ?? {};
    // An in-process request has no socket and never requests modules.
    if (incoming === undefined || outgoing === undefined || !('httpVersionMajor' in incoming)) return undefined;
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return undefined;
    const handled = await new Promise<boolean>((resolve, reject) => {
      outgoing.once('close', () => resolve(true));
      // The server does not use HTTP/2, so these are Node's HTTP/1 request and response.
      vite(incoming as never, outgoing as never, (error) => (error === undefined ? resolve(false) : reject(error)));
    });
    return handled ? RESPONSE_ALREADY_SENT : undefined;
  };
}
