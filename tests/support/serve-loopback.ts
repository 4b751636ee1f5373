import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenDone } from './when-done.ts';

/**
 * Serves HTTP on this machine only, until the test is done. Resolves with the URL, such as `http://localhost:49152`.
 */
export async function serveLoopback(response: RequestListener): Promise<string> {
  const server = createServer(response);
  server.listen(0, 'localhost');
  await once(server, 'listening');
  whenDone(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server listening on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return `http://localhost:${port}`;
}
