import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { serve, type WebSocketServerLike } from '@hono/node-server';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createDelivery } from './delivery/create-delivery.ts';
import type { Delivery } from './delivery/delivery.ts';
import type { Dependencies } from './dependencies.ts';
import { createRateLimits } from './http/postgres-rate-limits.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { OperatorError } from './operator-error.ts';
import type { PostgresAddress } from './postgres/address.ts';
import { openDatabase } from './postgres/database.ts';
import { startEmbeddedPostgres } from './postgres/embedded/start-embedded-postgres.ts';
import { migrate } from './postgres/migrate.ts';
import { createRealtimeServer } from './realtime/realtime-server.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { createResolveCaller } from './tokens/resolve-caller.ts';
import { openTokenKeys } from './tokens/token-keys.ts';
import { createWeb } from './web/web.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  /** The folder that holds `database/` and `build/`. */
  readonly root: string;
  /** Pages come from Vite and reload on change, instead of from the build. */
  readonly viteDevelopment?: boolean;
  /** A test gives its own; each has a default that is the real thing. */
  readonly address?: PostgresAddress;
  readonly secrets?: Secrets;
  readonly delivery?: Delivery;
  readonly now?: () => number;
}

export interface Service {
  /** Where it listens, by the name that a browser on this machine uses. */
  readonly url: string;
  readonly dependencies: Dependencies;
  /** Stops listening, lets what is being answered finish within `drainMs`, then stops jobs, sockets and the database. */
  stop(drainMs: number): Promise<void>;
}

/** Database, schema, application, listening socket and jobs, in that order; what was started is stopped if a later step fails. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, root, now = Date.now, viteDevelopment = false } = options;
  const undo: (() => Promise<unknown>)[] = [];
  const stopAll = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };

  try {
    const secrets = options.secrets ?? (await loadSecrets(config));
    const tokens = await openTokenKeys({ jwtKeys: secrets.jwtKeys, issuer: `${config.publicUrl}/auth/v1`, now });

    const address = options.address ?? (await databaseAddress(config, log, root, undo));
    await migrate({ address, directory: join(root, 'database/migrations'), log });
    const database = openDatabase({ address, log, development: !config.production });
    undo.push(() => database.close());

    const delivery = options.delivery ?? createDelivery({ config, database, log });
    undo.push(async () => delivery.settled?.());

    const dependencies: Dependencies = {
      config,
      secrets,
      database,
      tokens,
      resolveCaller: createResolveCaller({ tokens, ...secrets, now }),
      delivery,
      limits: createRateLimits({ database, development: !config.production }),
      log,
      now,
    };

    const realtime = await createRealtimeServer(dependencies);
    undo.push(() => realtime.close());
    const web = await createWeb(dependencies, {
      root,
      viteDevelopment,
      // Pages ask the service as any client would, without the network in between.
      // Limits count by the visitor's own address; the visitor's answer is the page's to write.
      fetch: async (request, { incoming } = {}) => app.fetch(request, incoming === undefined ? {} : { incoming }),
    });
    undo.push(() => web.close());
    const stopping = new AbortController();
    const app = createApp(dependencies, { web, realtime, stopping: stopping.signal });

    const jobs = await startJobs(dependencies);
    undo.push(() => jobs.stop());

    // The adapter's type says `noServer?: boolean` where that of ws allows undefined too.
    const webSockets = new WebSocketServer({
      noServer: true,
      maxPayload: realtime.maxFrameBytes,
    }) as unknown as WebSocketServerLike;
    const server = await listen(
      () =>
        // Hono's server type covers HTTP/2 too; without createServer it makes a plain HTTP server.
        serve({
          fetch: app.fetch,
          hostname: config.host,
          port: config.port,
          websocket: { server: webSockets },
        }) as Server,
    );
    bound(server);
    const { port } = server.address() as AddressInfo;

    return {
      url: `http://localhost:${port}`,
      dependencies,
      async stop(drainMs) {
        const closed = new Promise<void>((done) => server.close(() => done()));
        // Streams and sockets never finish by themselves; their clients come back to the next server.
        stopping.abort();
        await realtime.close();
        server.closeIdleConnections();
        const late = setTimeout(() => server.closeAllConnections(), drainMs);
        await closed;
        clearTimeout(late);
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll().catch((stopError: unknown) =>
      log.error({ err: stopError }, 'Cleaning up after a failed start failed.'),
    );
    throw error;
  }
}

async function databaseAddress(
  config: Config,
  log: Logger,
  root: string,
  undo: (() => Promise<unknown>)[],
): Promise<PostgresAddress> {
  if (config.database.kind === 'url') return { connectionString: config.database.url };
  const embedded = await startEmbeddedPostgres({
    dataDirectory: join(resolve(root, config.dataDirectory), 'postgres'),
    log,
  });
  undo.push(() => embedded.stop());
  return embedded.address;
}

/** Bounds against slow and idle connections, in milliseconds (adversarial cases 51: slow headers, slow bodies). */
function bound(server: Server): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  server.maxHeadersCount = 100;
}

/** Resolves once the server listens; a port in use is named in a sentence. */
function listen(start: () => Server): Promise<Server> {
  const server = start();
  return new Promise((resolve, reject) => {
    if (server.listening) resolve(server);
    server.once('listening', () => resolve(server));
    server.once('error', (error: NodeJS.ErrnoException & { port?: number }) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new OperatorError(
              `Port ${error.port} is in use by another program. Stop that one, or choose another port: PORT=3001 npm start`,
              { cause: error },
            )
          : error,
      );
    });
  });
}
