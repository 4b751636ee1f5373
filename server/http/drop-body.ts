import type { Context, MiddlewareHandler, Next } from 'hono';
import type { AppEnv } from './app-env.ts';

/** A client that sends more than this in vain may lose the response. A photo, of 12 MiB at most, is less. */
const MOST_DROPPED_BYTES = 16 * 1024 * 1024;

/**
 * Reads and discards the rest of a body, up to a limit; `read` bytes already count towards it. Never rejects.
 *
 * Closing a connection while the client still sends resets it, and the client may lose the response (RFC 9112, section
 * 9.6). `endStalledBodies` bounds how long this takes.
 */
export async function dropBody(body: ReadableStream<Uint8Array> | null, read = 0): Promise<void> {
  if (body === null) return;
  // Outside of `try`: a body locked by another reader is a bug and must throw.
  const chunks = body.values();
  let size = read;
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > MOST_DROPPED_BYTES) return;
    }
  } catch {
    // The client disconnected.
  }
}

/**
 * Delays a response that did not read its body until the body has arrived, so that the client receives it.
 *
 * Not an async function: it adds nothing to the cost of a read.
 */
export const dropUnreadBody: MiddlewareHandler<AppEnv> = (c, next) => {
  const { method } = c.req;
  return method === 'GET' || method === 'HEAD' ? next() : dropAfter(c, next);
};

async function dropAfter(c: Context<AppEnv>, next: Next): Promise<void> {
  await next();
  const { raw } = c.req;
  // Last, because it makes the adapter build a whole Request.
  if (!raw.bodyUsed) await dropBody(raw.body);
}
