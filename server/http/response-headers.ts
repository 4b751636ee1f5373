import type { Context, Next } from 'hono';
import type { AppEnv } from './app-env.ts';

export type HeaderLines = readonly (readonly [name: string, value: string])[];

/**
 * Runs the rest of the chain and adds headers to its response.
 *
 * The headers are set on the socket's response beforehand. Set on a finished Response, they would make the adapter
 * rebuild and stream it, which is a fifth of the cost of a lookup. An in-process request has no socket.
 */
export function withHeaders(c: Context<AppEnv>, next: Next, headers: HeaderLines): Promise<void> {
  const outgoing = c.env?.outgoing;
  if (outgoing === undefined) return respondFromInside(c, next, headers);
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  return next();
}

async function respondFromInside(c: Context<AppEnv>, next: Next, headers: HeaderLines): Promise<void> {
  await next();
  for (const [name, value] of headers) c.res.headers.set(name, value);
}
