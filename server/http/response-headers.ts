import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Context, Next } from 'hono';
import type { AppEnv } from './app-env.ts';

export type HeaderLines = readonly (readonly [name: string, value: string])[];

/**
 * Runs the rest of the chain and adds headers to its response. A header of the same name in the response replaces ours.
 *
 * The headers are given to the socket's response beforehand. Set on a finished Response, they would make the adapter
 * rebuild and stream it, which is a fifth of the cost of a lookup. An in-process request has no socket.
 */
export function withHeaders(c: Context<AppEnv>, next: Next, headers: HeaderLines): Promise<void> {
  const outgoing = c.env?.outgoing;
  if (outgoing === undefined) return respondFromInside(c, next, headers);
  if (outgoing instanceof AppResponse) outgoing.addLines(headers);
  else for (const [name, value] of headers) outgoing.setHeader(name, value);
  return next();
}

async function respondFromInside(c: Context<AppEnv>, next: Next, headers: HeaderLines): Promise<void> {
  await next();
  for (const [name, value] of headers) c.res.headers.set(name, value);
}

type OwnHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

/**
 * A socket's response that writes all its headers at once.
 *
 * After a single `setHeader`, Node's `writeHead` sets each of the other headers in the same way: it checks, copies and
 * looks up all of them twice.
 */
export class AppResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #lines: HeaderLines[] = [];

  /** Adds headers that are written with the head. A header of the head's own of that name replaces them. */
  addLines(lines: HeaderLines): void {
    this.#lines.push(lines);
  }

  override writeHead(status: number, reason?: string | OwnHeaders, headers?: OwnHeaders): this {
    if (typeof reason === 'string') this.statusMessage = reason;
    const own = typeof reason === 'string' ? headers : (headers ?? reason);
    // Without headers of ours, or where Node's slow way is needed anyway.
    if (this.#lines.length === 0 || Array.isArray(own)) {
      for (const [name, value] of this.#lines.flat()) this.setHeader(name, value);
      return super.writeHead(status, own);
    }
    return super.writeHead(status, this.#together(own));
  }

  /** Returns names and values in turn, the form that Node writes as it is. */
  #together(own: OutgoingHttpHeaders = {}): OutgoingHttpHeader[] {
    const written: OutgoingHttpHeader[] = [];
    for (const lines of this.#lines) {
      for (const [name, value] of lines) if (!hasHeader(own, name)) written.push(name, value);
    }
    for (const name in own) {
      const value = own[name];
      if (value !== undefined) written.push(name, value);
    }
    return written;
  }
}

/** Compares lengths first: this runs for each pair of headers in every response. */
function hasHeader(headers: OutgoingHttpHeaders, wanted: string): boolean {
  for (const name in headers) {
    if (name.length === wanted.length && name.toLowerCase() === wanted.toLowerCase()) return true;
  }
  return false;
}
