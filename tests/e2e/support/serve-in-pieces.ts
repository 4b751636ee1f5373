import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** Bytes of a document that arrive at once, most often until the middle of a text. */
const PIECE = 613;
/** Milliseconds until the next piece, in which a page notices that it grew. */
const GAP = 10;

/** Serves what the service does, and each document piece by piece, as a slow connection would. Resolves with the URL. */
export async function serveInPieces(serviceUrl: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method } = incoming;
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const forwarded = request(new URL(url, serviceUrl), { method, headers }, async (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      if (!response.headers['content-type']?.startsWith('text/html')) return void response.pipe(outgoing);
      const whole = await buffer(response);
      for (let at = 0; at < whole.length; at += PIECE) {
        outgoing.write(whole.subarray(at, at + PIECE));
        await pause(GAP);
      }
      outgoing.end();
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  // A TCP server listening on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
