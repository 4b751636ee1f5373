import type { MiddlewareHandler } from 'hono';
import { HeldBytes } from '#server/held-bytes.ts';
import type { AppEnv } from './app-env.ts';
import type { FloodGuard } from './flood-guard.ts';

const MIB = 1024 * 1024;

/** Figures of the bodies that are being received. `docs/operate/limits.md` names them. */
export const BODIES = {
  /** A body counts at most as much: what is larger is written to a file while it arrives. */
  mostCounted: MIB,
  perAddress: 32 * MIB,
  inAll: 256 * MIB,
} as const;

const TEXT = 'Too many requests. Please try again later.';
/** Made once, in the words that the clients of all services look for. */
const REFUSAL = JSON.stringify({ code: 'over_request_rate_limit', message: TEXT, msg: TEXT, error: TEXT });

/**
 * Refuses, before anything else looks at a request, callers whose address is cut off and bodies beyond what one address,
 * or all of them, may have in memory. Counts what the rest of the chain refuses as one too many.
 */
export function boundCallers(flood: FloodGuard): MiddlewareHandler<AppEnv> {
  const bodies = new HeldBytes(BODIES);
  return async (c, next) => {
    const address = c.get('clientAddress');
    const cutFor = flood.cutFor(address);
    if (cutFor !== null) return c.body(REFUSAL, 429, refusalHeaders(cutFor));
    const bytes = bodyBytes(c.req.method, c.req.header('content-length'), c.req.header('transfer-encoding'));
    if (!bodies.take(address, bytes)) {
      flood.countRefusal(address);
      return c.body(REFUSAL, 429, refusalHeaders(1));
    }
    try {
      await next();
    } finally {
      bodies.giveBack(address, bytes);
    }
    if (c.res.status === 429) flood.countRefusal(address);
    return undefined;
  };
}

function refusalHeaders(seconds: number): Record<string, string> {
  return { 'Content-Type': 'application/json', 'Retry-After': String(seconds), Connection: 'close' };
}

/** What a body is counted as: what it promises, or the most where it promises nothing. */
function bodyBytes(method: string, length: string | undefined, coding: string | undefined): number {
  if (method === 'GET' || method === 'HEAD') return 0;
  if (length === undefined) return coding === undefined ? 0 : BODIES.mostCounted;
  return Math.min(Number(length) || 0, BODIES.mostCounted);
}
