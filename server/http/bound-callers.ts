import type { Context, MiddlewareHandler } from 'hono';
import { FLOOD, type FloodGuard } from '#server/limits/flood-guard.ts';
import { ArrivingBodies, type ArrivingRequest } from '#server/limits/memory/arriving-bodies.ts';
import type { HeldBytesOptions } from '#server/limits/memory/held-bytes.ts';
import { noteRefusal } from '#server/limits/refused-by.ts';
import type { AppEnv } from './app-env.ts';

const MIB = 1024 * 1024;

/** Limits on request bodies while they are received. `docs/operate/limits.md` lists them. */
export const BODIES = {
  /** The most that one body counts; larger bodies are written to a file while they arrive. */
  mostCounted: MIB,
  /** A body that is incomplete after this many milliseconds may be dropped for another. */
  graceMs: 250,
  /** The most bodies that may be dropped for one. */
  mostDropped: 16,
} as const;

const TEXT = 'Too many requests. Please try again later.';
/** Built once, with the message in the field that each service's clients read. */
const REFUSAL = JSON.stringify({ code: 'over_request_rate_limit', message: TEXT, msg: TEXT, error: TEXT });

/**
 * Runs before anything else handles a request. Refuses clients whose address is cut off, and bodies beyond the memory
 * limits per address and in total. Counts refusals of the rest of the chain against the flood guard.
 */
export function boundCallers(flood: FloodGuard, most: HeldBytesOptions): MiddlewareHandler<AppEnv> {
  const bodies = new ArrivingBodies({ ...BODIES, ...most, now: () => performance.now() });
  return async (c, next) => {
    const address = c.get('clientAddress');
    const cutFor = flood.cutFor(address);
    if (cutFor !== null) {
      noteRefusal({ name: 'refusals_per_address', points: FLOOD.refusalBurst });
      return c.body(REFUSAL, 429, refusalHeaders(cutFor));
    }
    const bytes = bodyBytes(c.req.method, c.req.header('content-length'), c.req.header('transfer-encoding'));
    const giveBack = bytes === 0 ? undefined : bodies.begin(arrivingRequest(c, address, bytes));
    if (giveBack === null) {
      flood.countRefusal(address);
      noteRefusal({ name: 'body_bytes_per_address', points: most.perAddress });
      return c.body(REFUSAL, 429, refusalHeaders(1));
    }
    try {
      await next();
    } finally {
      giveBack?.();
    }
    if (c.res.status === 429) flood.countRefusal(address);
    return undefined;
  };
}

function refusalHeaders(seconds: number): Record<string, string> {
  return { 'Content-Type': 'application/json', 'Retry-After': String(seconds), Connection: 'close' };
}

function arrivingRequest(c: Context<AppEnv>, address: string, bytes: number): ArrivingRequest {
  // Without a connection, as in a unit test of a handler, there is nothing to drop.
  const incoming = c.env?.incoming;
  const before = incoming?.socket.bytesRead ?? 0;
  return {
    address,
    bytes,
    isComplete: () => incoming?.complete ?? true,
    arrived: () => (incoming?.socket.bytesRead ?? 0) - before,
    drop: () => incoming?.socket.destroy(),
  };
}

/** Returns the bytes a body counts as: its announced length, or the most for an unannounced one. */
function bodyBytes(method: string, length: string | undefined, coding: string | undefined): number {
  if (method === 'GET' || method === 'HEAD') return 0;
  if (length === undefined) return coding === undefined ? 0 : BODIES.mostCounted;
  return Math.min(Number(length) || 0, BODIES.mostCounted);
}
