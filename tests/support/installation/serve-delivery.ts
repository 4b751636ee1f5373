import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Delivery, Email, Sms } from '#server/delivery/delivery.ts';

/** Takes over HTTP what `deliverTo` sends in other processes. Resolves with its URL and what ends it. */
export async function serveDelivery(delivery: Delivery): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    try {
      const sent = await json(request);
      // Written by `deliverTo`.
      if (request.url === '/email') await delivery.sendEmail(sent as Email);
      else await delivery.sendSms(sent as Sms);
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(502).end(error instanceof Error ? error.message : String(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server listening on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Hands messages to the `serveDelivery` of another process, and resolves once it has taken them. */
export function deliverTo(url: string, hasSms: boolean): Delivery {
  const post = async (path: string, message: Email | Sms) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(message) });
    if (!response.ok) throw new Error(await response.text());
  };
  return { hasSms, sendEmail: (email) => post('/email', email), sendSms: (sms) => post('/sms', sms) };
}
