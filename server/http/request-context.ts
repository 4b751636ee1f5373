import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { ServiceLog } from '#server/log.ts';
import { answerWith, type HeaderLines } from './answer-headers.ts';
import type { AppEnv } from './app-env.ts';
import { clientAddress } from './client-address.ts';

export interface RequestContextOptions {
  readonly log: Logger;
  readonly trustedProxies: number;
  readonly now: () => number;
  /** The level of the one line for each answered request; what comes in masses and went well is said at `debug`. */
  readonly accessLogLevel: 'debug' | 'info';
  /** What every answer says, beside the request's id. */
  readonly everyAnswer: HeaderLines;
}

/**
 * Gives each request an id, its own logger and its client address, each answer its headers, and writes one line when it
 * is answered: method, the route's kind, status and milliseconds. Never the path or query itself: tag codes and tokens
 * stand in them.
 */
export function requestContext({
  log,
  trustedProxies,
  now,
  accessLogLevel,
  everyAnswer,
}: RequestContextOptions): MiddlewareHandler<AppEnv> {
  // Its fields are these and no others, so there is nothing to redact, which costs ten times the line itself.
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
    await answerWith(c, next, [['X-Request-Id', requestId], ...everyAnswer]);
    const { status } = c.res;
    const area = areaOf(c.req.path);
    accessLog[IN_MASSES.has(area) && status < 400 ? 'debug' : accessLogLevel](
      { requestId, method: c.req.method, area, status, ms: now() - startedAt },
      'answered',
    );
  };
}

/** The service's log, with the request's id in every line. */
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

/** A first visit fetches a hundred files, and whoever watches the service asks every few seconds. */
const IN_MASSES: ReadonlySet<string> = new Set(['/assets/', '/health/']);

function areaOf(path: string): string {
  for (const area of AREAS) if (path.startsWith(area)) return area;
  return path.startsWith('/tgt-') ? '/tgt-' : '/';
}
