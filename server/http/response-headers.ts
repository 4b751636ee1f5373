import type { Context, Next } from 'hono';
import type { AppEnv } from './app-env.ts';

export type HeaderLines = readonly (readonly [name: string, value: string])[];

/**
 * Lets the rest of the chain answer, and adds headers to whatever it answers.
 *
 * They are given to the socket's own answer before there is one: set on a finished Response, they would make the
 * adapter build it anew and stream it, a fifth of what a look-up costs. A request that came from inside this process has
 * no socket to answer to.
 */
export function answerWith(c: Context<AppEnv>, next: Next, headers: HeaderLines): Promise<void> {
  const outgoing = c.env?.outgoing;
  if (outgoing === undefined) return answerFromInside(c, next, headers);
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  return next();
}

async function answerFromInside(c: Context<AppEnv>, next: Next, headers: HeaderLines): Promise<void> {
  await next();
  for (const [name, value] of headers) c.res.headers.set(name, value);
}
