import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.ts';

/** Somebody who sends more than this for nothing may lose the answer. */
const MOST_DROPPED_BYTES = 8 * 1024 * 1024;

/**
 * Reads what is left of a body and forgets it, to a bound in bytes; `read` of them count already. A connection that ends
 * while the client still sends is reset, and the answer may be lost with it (RFC 9112, section 9.6). How long it may take
 * is bounded by the server's time for a whole request. Never rejects: who went away needs no answer.
 */
export async function dropBody(body: ReadableStream<Uint8Array> | null, read = 0): Promise<void> {
  if (body === null) return;
  // Taken before the attempt: a body that somebody else still reads is a mistake of ours, and no broken line.
  const chunks = body.values();
  let size = read;
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > MOST_DROPPED_BYTES) return;
    }
  } catch {
    // The client broke off.
  }
}

/** Holds an answer that did not need the body back until the body is through, so that the client surely gets it. */
export const dropUnreadBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { method, raw } = c.req;
  // Asked for last: it makes the adapter build a whole Request.
  if (method !== 'GET' && method !== 'HEAD' && !raw.bodyUsed) await dropBody(raw.body);
};
