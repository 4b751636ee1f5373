import { type Agent, request as openRequest } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
}

/** Answers with these have no body (RFC 9110), and a Response with one of them may be given none. */
const WITHOUT_BODY = [204, 304];

/**
 * Sends one HTTP request and returns the response as received. Unlike `fetch` it sends the path unchanged, adds no
 * headers but Host, Content-Type and Content-Length, follows no redirects and decodes nothing.
 */
export async function sendRequest(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions,
  agent: Agent,
): Promise<Response> {
  // A Request knows the type of its body. The DOM's type does not know `duplex`, without which it takes no stream.
  const packed = new Request(origin, { method, ...(body !== undefined && { body, duplex: 'half' }) } as RequestInit);
  const endless = body instanceof globalThis.ReadableStream;
  const bytes = endless || packed.body === null ? undefined : Buffer.from(await packed.arrayBuffer());
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = openRequest({
      hostname,
      port,
      path,
      method,
      agent,
      headers: { ...Object.fromEntries(packed.headers), ...headers },
    });
    request.on('response', (message) => {
      const { statusCode: status = 0, rawHeaders } = message;
      const responded = new Headers();
      for (let at = 0; at < rawHeaders.length; at += 2)
        responded.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
      buffer(message).then((received) => {
        resolve(new Response(WITHOUT_BODY.includes(status) ? null : received, { status, headers: responded }));
        // A response before the whole body was sent ends the sending.
        if (!request.writableFinished) request.destroy();
      }, reject);
    });
    request.on('error', reject);
    if (!endless) request.end(bytes);
    // Its failure is the request's own.
    else pipeline(Readable.fromWeb(packed.body as ReadableStream), request).catch(() => undefined);
  });
}
