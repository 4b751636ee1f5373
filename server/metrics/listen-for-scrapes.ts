import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';

export interface MetricsListener {
  readonly port: number;
  close(): Promise<void>;
}

/** How long a scrape may take, in milliseconds. */
const SCRAPE_MS = 5_000;
/** Prometheus uses one or two; more are not served. */
const MOST_CONNECTIONS = 20;
/** Prometheus' text format. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Serves `GET /metrics` on a port of its own, so that no proxy in front of the service can expose it by accident.
 *
 * @throws OperatorError that names the port if it is not available
 */
export async function listenForScrapes({
  host,
  port,
  expose,
  log,
}: {
  readonly host: string;
  readonly port: number;
  /** Returns all metrics in Prometheus' text format. */
  readonly expose: () => Promise<string>;
  readonly log: ServiceLog;
}): Promise<MetricsListener> {
  const server = createServer({ requestTimeout: SCRAPE_MS, headersTimeout: SCRAPE_MS }, (request, response) => {
    const refuse = (status: number, text: string, headers = {}): void => {
      response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(text);
    };
    const respond = async (): Promise<void> => {
      try {
        const text = await expose();
        response.writeHead(200, { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' }).end(text);
      } catch (error) {
        log.error({ err: error }, 'The metrics could not be read.');
        refuse(500, 'The metrics could not be read.\n');
      }
    };
    if (request.url?.split('?')[0] !== '/metrics') refuse(404, 'Metrics are at /metrics.\n');
    else if (request.method !== 'GET') refuse(405, 'Metrics are read with GET.\n', { Allow: 'GET' });
    else void respond();
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new OperatorError(`METRICS_PORT: ${host}:${port} is not available (${error.message}).`)),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
