import { join } from 'node:path';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { AuthServiceOptions } from './auth/auth-service.ts';
import type { Config } from './config.ts';
import { createDelivery, type DeliveryOptions } from './delivery/create-delivery.ts';
import type { Delivery } from './delivery/delivery.ts';
import { rememberSentMails } from './delivery/sent-mails.ts';
import type { Dependencies } from './dependencies.ts';
import { clientAddress } from './http/client-address.ts';
import { createFloodGuard } from './http/flood-guard.ts';
import { listen } from './http/listen.ts';
import { createMissLimit } from './http/miss-limit.ts';
import { createRateLimits } from './http/postgres-rate-limits.ts';
import { startJobs } from './jobs/start-jobs.ts';
import type { PostgresAddress } from './postgres/address.ts';
import { checkConnections } from './postgres/check-connections.ts';
import { openDatabase } from './postgres/database.ts';
import { startEmbeddedPostgres } from './postgres/embedded/start-embedded-postgres.ts';
import { migrate } from './postgres/migrate.ts';
import { createRealtimeServer } from './realtime/realtime-server.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { openStorageFiles } from './storage/open-storage-files.ts';
import { openAdditionalKeys } from './tokens/additional-keys.ts';
import { createResolveCaller } from './tokens/resolve-caller.ts';
import { openTokenKeys } from './tokens/token-keys.ts';
import { createReadTokenStanding } from './tokens/token-standing.ts';
import { type UndoStep, undoAll } from './undo-all.ts';
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
  readonly auth?: AuthServiceOptions;
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
  const undo: UndoStep[] = [];

  try {
    const secrets = options.secrets ?? (await loadSecrets(config));
    const issuer = `${config.publicUrl}/auth/v1`;
    const tokens = await openTokenKeys({ jwtKeys: secrets.jwtKeys, issuer, now });
    const { additionalJwtKeys } = config.secrets;
    const additionalKeys = additionalJwtKeys && (await openAdditionalKeys({ ...additionalJwtKeys, issuer, now }));

    const address = options.address ?? (await databaseAddress(config, log, undo));
    await migrate({ address, directory: join(root, 'database/migrations'), log });
    const database = openDatabase({
      address,
      log,
      development: !config.production,
      itemsPerAccount: config.itemsPerAccount,
    });
    undo.push(() => database.close());
    await checkConnections(database);

    const delivery = options.delivery ?? (await openDelivery({ config, database, log, now }));
    undo.push(async () => delivery.settled?.());

    const limits = createRateLimits({ database, development: !config.production, changed: config.limits });
    const dependencies: Dependencies = {
      config,
      secrets,
      database,
      tokens,
      ...(additionalKeys !== undefined && { additionalKeys }),
      resolveCaller: await createResolveCaller({
        tokens,
        ...(additionalKeys !== undefined && { additionalKeys }),
        ...secrets,
        now,
        database,
        readStanding: createReadTokenStanding({ database, now }),
      }),
      delivery,
      limits,
      misses: createMissLimit({ limits, now }),
      files: await openStorageFiles(config),
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
    const flood = createFloodGuard(now);
    const app = createApp(dependencies, {
      web,
      realtime,
      flood,
      stopping: stopping.signal,
      ...(options.auth !== undefined && { auth: options.auth }),
    });

    const jobs = await startJobs(dependencies);
    undo.push(() => jobs.stop());

    const listener = await listen({
      fetch: app.fetch,
      host: config.host,
      port: config.port,
      webSocketBounds: realtime.webSocketBounds,
      // Behind a proxy every connection comes from it: its own limits are the ones of connections.
      ...(config.trustedProxies === 0 && {
        addressOf: (socketAddress) => clientAddress(socketAddress, undefined, 0),
        isCut: (address) => flood.cutFor(address) !== null,
      }),
    });

    return {
      url: `http://localhost:${listener.port}`,
      dependencies,
      async stop(drainMs) {
        const closed = listener.close(drainMs);
        // Streams and sockets never finish by themselves; their clients come back to the next server.
        stopping.abort();
        undo.push(
          () => closed,
          () => realtime.close(),
        );
        await undoAll(undo);
      },
    };
  } catch (error) {
    await undoAll(undo).catch((stopError: unknown) =>
      log.error({ err: stopError }, 'Cleaning up after a failed start failed.'),
    );
    throw error;
  }
}

async function openDelivery(options: DeliveryOptions & { readonly config: Config }): Promise<Delivery> {
  const { config, log, now } = options;
  const delivery = createDelivery(options);
  // The outbox of a development server knows by itself what it has.
  if (!config.production) return delivery;
  return rememberSentMails(delivery, { directory: join(config.dataDirectory, 'sent-mails'), log, now });
}

async function databaseAddress(config: Config, log: Logger, undo: UndoStep[]): Promise<PostgresAddress> {
  if (config.database.kind === 'url') return { connectionString: config.database.url };
  const embedded = await startEmbeddedPostgres({
    dataDirectory: join(config.dataDirectory, 'postgres'),
    log,
    sharedBuffers: config.database.sharedBuffers,
  });
  undo.push(() => embedded.stop());
  return embedded.address;
}
