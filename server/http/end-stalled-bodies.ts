import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The bytes that must arrive of a body within each period for it to go on. */
export const LEAST_BYTES = 64 * 1024;

interface Arriving {
  readonly response: ServerResponse;
  /** When the period began, in milliseconds. */
  since: number;
  /** What the connection had read by then, in bytes. */
  read: number;
}

/**
 * Closes each connection on which a request's body has not arrived completely within `periodMs`, unless at least
 * `LEAST_BYTES` of it arrived in that time. It then has as long again, and so on: a photo over a slow connection arrives,
 * and a client that only holds the connection open loses it as early as one that sends nothing.
 *
 * The server's own `requestTimeout` bounds the sum. Returns a function that stops the checks.
 */
export function endStalledBodies(
  server: Server,
  { periodMs, lookEveryMs }: { readonly periodMs: number; readonly lookEveryMs: number },
): () => void {
  const arriving = new Map<IncomingMessage, Arriving>();
  server.prependListener('request', (request, response) => {
    if (!hasBody(request)) return;
    arriving.set(request, { response, since: performance.now(), read: request.socket.bytesRead });
    const forget = () => arriving.delete(request);
    request.once('end', forget).once('close', forget);
  });
  const look = setInterval(() => {
    const now = performance.now();
    for (const [request, period] of arriving) {
      if (now - period.since < periodMs) continue;
      const { bytesRead } = request.socket;
      if (bytesRead - period.read < LEAST_BYTES) {
        arriving.delete(request);
        endLate(request, period.response);
      } else {
        period.since = now;
        period.read = bytesRead;
      }
    }
  }, lookEveryMs);
  look.unref();
  return () => clearInterval(look);
}

/** Whether a body may follow the head (RFC 9112, section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** As the runtime does after its own timeouts: it responds with 408 unless a response has begun. */
function endLate({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) socket.destroy();
  else socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n', () => socket.destroy());
}
