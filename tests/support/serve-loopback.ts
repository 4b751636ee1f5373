import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenDone } from './when-done.ts';

/** Answers HTTP on this machine alone, until the test is done. Resolves with the address, such as `http://localhost:49152`. */
export async function serveLoopback(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, 'localhost');
  await once(server, 'listening');
  whenDone(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  return `http://localhost:${port}`;
}
