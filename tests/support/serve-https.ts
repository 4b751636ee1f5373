import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { whenDone } from './when-done.ts';

/** Made for the tests and of no use elsewhere: for localhost, 127.0.0.1, 127.0.0.2, and *.example.com, until 2120. */
const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSDoiGu6cEK++u7It
+TwbMRhwoGZVkoMSc0ldwcBrek+hRANCAARlQ4tLhN0fBcRH4a1O1uKviNF6agWF
swmg8l0J3t2eRO5rqUOKnzqWwD9q89A3ZnZLPS5rOQeTsrBg8vf/rBMX
-----END PRIVATE KEY-----
`;

/** The certificate of every server of `serveHttps`, which is its own authority. */
export const TEST_CA = `-----BEGIN CERTIFICATE-----
MIIBhTCCASqgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1SZXVuaXRl
IHRlc3RzMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1SZXVuaXRlIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEZUOL
S4TdHwXER+GtTtbir4jRemoFhbMJoPJdCd7dnkTua6lDip86lsA/avPQN2Z2Sz0u
azkHk7KwYPL3/6wTF6NjMGEwLwYDVR0RBCgwJoIJbG9jYWxob3N0gg0qLmV4YW1w
bGUuY29thwR/AAABhwR/AAACMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFN/k
F2I+dfyU1c6sI6m0dsfQutu7MAoGCCqGSM49BAMCA0kAMEYCIQCxU/r5cg3a+oE4
TjRypNxAqi+QsRDlbNz/aUd+vgpGrQIhALpXxDcnAin+flqNMr8LJ1VNPtxfJ94S
NJqz2wuYiMPD
-----END CERTIFICATE-----
`;

export interface HttpsServer {
  readonly port: number;
  /** How many connections were opened. */
  connections(): number;
}

/** Serves HTTPS on an address of this machine, until the test is done. */
export async function serveHttps(response: RequestListener, address = '127.0.0.1'): Promise<HttpsServer> {
  const server = createServer({ key: TEST_KEY, cert: TEST_CA }, response);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, address);
  await once(server, 'listening');
  whenDone(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server listening on a port has an AddressInfo.
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}
