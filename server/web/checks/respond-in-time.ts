import type { Context, MiddlewareHandler } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { type Untimed, workInTime } from '#server/postgres/in-time.ts';

/** Visitors consider a page broken after 5 s. */
const RESPOND_WITHIN_MS = 4_000;

/**
 * Gives up a request for which the database takes too long: the response says that it may be repeated. Its handler goes
 * on, so what it writes may still be stored.
 */
export const respondInTime: MiddlewareHandler<AppEnv> = (c, next) =>
  workInTime((untimed) => {
    c.set('untimed', untimed);
    return next();
  }, RESPOND_WITHIN_MS);

/** Runs the part of a request that waits for its body or for a picture, which may take longer. */
export function withoutTimeLimit<Result>(c: Context<AppEnv>, work: () => Promise<Result>): Promise<Result> {
  const untimed: Untimed | undefined = c.get('untimed');
  return untimed === undefined ? work() : untimed(work);
}
