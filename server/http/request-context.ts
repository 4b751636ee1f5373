import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import { collectRefusals, policyOf } from '#server/limits/refused-by.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { CountedRequest } from '#server/metrics/metrics.ts';
import type { AppEnv } from './app-env.ts';
import { clientAddress } from './client-address.ts';
import { type HeaderLines, withHeaders } from './response-headers.ts';

export interface RequestContextOptions {
  readonly log: Logger;
  readonly trustedProxies: number;
  readonly now: () => number;
  /** The level of the access log. Successful requests of frequent kinds are logged at `debug`. */
  readonly accessLogLevel: 'debug' | 'info';
  /** Called after each response, where the server has metrics. */
  readonly countRequest?: (request: CountedRequest) => void;
  /** Headers of every response, in addition to the request id. */
  readonly defaultHeaders: HeaderLines;
}

/**
 * Gives each request an id, a logger and a client address, and each response its default headers. Logs one line per
 * response: method, kind of route, status, milliseconds, and of a 429 the limits that refused. Never the path or the
 * query, which contain tag codes and tokens.
 */
export function requestContext({
  log,
  trustedProxies,
  now,
  accessLogLevel,
  countRequest,
  defaultHeaders,
}: RequestContextOptions): MiddlewareHandler<AppEnv> {
  // Its fields are fixed and contain no secrets. Redaction would cost ten times as much as the line itself.
  const accessLog = log.child({}, { redact: [] });
  return async (c, next) => {
    const startedAt = now();
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.set('log', new RequestLog(log, requestId));
    c.set(
      'clientAddress',
      clientAddress(
        c.env?.incoming?.socket.remoteAddress,
        trustedProxies === 0 ? undefined : c.req.header('x-forwarded-for'),
        trustedProxies,
      ),
    );
    const refusals = await collectRefusals(() =>
      withHeaders(c, next, [['X-Request-Id', requestId], ...defaultHeaders]),
    );
    const { status } = c.res;
    const refusedBy = status === 429 ? refusals : [];
    if (refusedBy.length > 0) c.res.headers.set('RateLimit-Policy', policyOf(refusedBy));
    const area = areaOf(c.req.path);
    const ms = now() - startedAt;
    countRequest?.({ method: c.req.method, route: routePath(c), status, ms });
    accessLog[IN_MASSES.has(area) && status < 400 ? 'debug' : accessLogLevel](
      {
        requestId,
        method: c.req.method,
        area,
        status,
        ms,
        ...(refusedBy.length > 0 && { limits: refusedBy.map(({ name }) => name) }),
      },
      'answered',
    );
  };
}

/** The service's log with the request id in every line. */
class RequestLog implements ServiceLog {
  #log: ServiceLog;
  #requestId: string;

  constructor(log: ServiceLog, requestId: string) {
    this.#log = log;
    this.#requestId = requestId;
  }

  debug(fields: object, message: string): void {
    this.#log.debug({ requestId: this.#requestId, ...fields }, message);
  }

  info(fields: object, message: string): void {
    this.#log.info({ requestId: this.#requestId, ...fields }, message);
  }

  warn(fields: object, message: string): void {
    this.#log.warn({ requestId: this.#requestId, ...fields }, message);
  }

  error(fields: object, message: string): void {
    this.#log.error({ requestId: this.#requestId, ...fields }, message);
  }
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

/** A first visit fetches a hundred files, and monitoring polls every few seconds. */
const IN_MASSES: ReadonlySet<string> = new Set(['/assets/', '/health/']);

function areaOf(path: string): string {
  for (const area of AREAS) if (path.startsWith(area)) return area;
  return path.startsWith('/tgt-') ? '/tgt-' : '/';
}
