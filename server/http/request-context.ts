import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { AppEnv } from './app-env.ts';
import { clientAddress } from './client-address.ts';

export interface RequestContextOptions {
  readonly log: Logger;
  readonly trustedProxies: number;
  readonly now: () => number;
  /** The level of the one line for each answered request. */
  readonly accessLogLevel: 'debug' | 'info';
}

/**
 * Gives each request an id, its own logger and its client address, and writes one line when it is answered: method,
 * the route's kind, status and milliseconds. Never the path or query itself: tag codes and tokens stand in them.
 */
export function requestContext({
  log,
  trustedProxies,
  now,
  accessLogLevel,
}: RequestContextOptions): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = now();
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.set('log', log.child({ requestId }));
    c.set(
      'clientAddress',
      clientAddress(c.env?.incoming?.socket.remoteAddress, c.req.header('x-forwarded-for'), trustedProxies),
    );
    await next();
    c.res.headers.set('x-request-id', requestId);
    log[accessLogLevel](
      { requestId, method: c.req.method, area: areaOf(c.req.path), status: c.res.status, ms: now() - startedAt },
      'answered',
    );
  };
}

const AREAS = [
  '/auth/v1/',
  '/rest/v1/',
  '/realtime/v1/',
  '/storage/v1/',
  '/health/',
  '/dev/',
  '/assets/',
  '/item/',
  '/auth/',
];

function areaOf(path: string): string {
  for (const area of AREAS) if (path.startsWith(area)) return area;
  return path.startsWith('/tgt-') ? '/tgt-' : '/';
}
