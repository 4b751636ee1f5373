import type { Logger } from 'pino';
import { createApp } from '#server/app.ts';
import type { AuthServiceOptions } from '#server/auth/auth-service.ts';
import { openPlace } from '#server/backup/places/backup-place.ts';
import { scheduleBackups } from '#server/backup/schedule/scheduled-backups.ts';
import type { Config } from '#server/config.ts';
import { createDelivery } from '#server/delivery/create-delivery.ts';
import type { Delivery } from '#server/delivery/delivery.ts';
import { withoutMail } from '#server/delivery/email/without-mail.ts';
import { createOutboundClient, type OutboundClient } from '#server/delivery/outbound/outbound-client.ts';
import { createWebPush } from '#server/delivery/push/web-push.ts';
import { createSentKeys, rememberSentMails } from '#server/delivery/sent-keys.ts';
import { logExcludedNumbers } from '#server/delivery/sms/log-excluded-numbers.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { listen } from '#server/http/listen.ts';
import type { Drain } from '#server/http/open-requests.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { boundLimitCounts, LIMIT_COUNTS } from '#server/limits/bound-limit-counts.ts';
import { createFloodGuard } from '#server/limits/flood-guard.ts';
import { callerMemoryFor, shareCallerMemory } from '#server/limits/memory/caller-memory.ts';
import { createMissLimit } from '#server/limits/miss-limit.ts';
import { createRateLimits } from '#server/limits/postgres-rate-limits.ts';
import { countDeliveries } from '#server/metrics/count-deliveries.ts';
import { listenForScrapes } from '#server/metrics/listen-for-scrapes.ts';
import { measureService } from '#server/metrics/measure-service.ts';
import { measureUploads } from '#server/metrics/measure-uploads.ts';
import type { ProcessMetrics } from '#server/metrics/merge-metrics.ts';
import { NO_METRICS } from '#server/metrics/metrics.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { checkConnections, warnOfFewConnections } from '#server/postgres/check-connections.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { createRealtimeServer } from '#server/realtime/realtime-server.ts';
import { makeFirstOperator } from '#server/set-up/make-first-operator.ts';
import { loadSecrets, type Secrets } from '#server/start/secrets.ts';
import { openStorageFiles } from '#server/storage/open-storage-files.ts';
import { openAdditionalKeys } from '#server/tokens/additional-keys.ts';
import { createResolveCaller } from '#server/tokens/resolve-caller.ts';
import { openTokenKeys } from '#server/tokens/token-keys.ts';
import { createReadTokenStanding } from '#server/tokens/token-standing.ts';
import { type UndoStep, undoAll } from '#server/undo-all.ts';
import { createWeb } from '#server/web/web.ts';
import { type PreparedDatabase, prepareDatabase } from './prepare-database.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  /** The folder that contains `database/` and `build/`. */
  readonly root: string;
  /** Serves pages from Vite with reload on change, instead of from the build. */
  readonly viteDevelopment?: boolean;
  /** A database already being prepared. It is stopped with the service, or where the start fails. */
  readonly prepared?: Promise<PreparedDatabase>;
  /**
   * The number of this process, from 1, where several serve. The first one does the work that is not for a request, and
   * the supervisor answers for the metrics of all.
   */
  readonly process?: number;
  /** Awaited before the service listens: what has listened on its port leaves it, or other processes are waited for. */
  readonly freePort?: () => void | Promise<void>;
  /** A running database in place of the configured one. */
  readonly address?: PostgresAddress;
  /** For tests; the defaults are the real parts. */
  readonly secrets?: Secrets;
  readonly delivery?: Delivery;
  readonly outbound?: OutboundClient;
  readonly auth?: AuthServiceOptions;
  readonly now?: () => number;
}

/** The part of the time for requests in which sockets end; the rest is for their closing handshakes. */
const SOCKETS_PART = 0.7;

export interface Service {
  /** The URL to open in a browser on this machine. */
  readonly url: string;
  readonly dependencies: Dependencies;
  /** Empty where nothing is measured. */
  readMetrics(): Promise<ProcessMetrics>;
  /** What only grows, also after the service has stopped. */
  readCounts(): Promise<ProcessMetrics>;
  /** Stops listening, lets requests in progress finish and ends sockets meanwhile, then stops jobs and the database. */
  stop(drain: Drain): Promise<void>;
}

/**
 * Starts the database, schema, application, socket and jobs, in this order. What was started is stopped if a later step
 * fails.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, root, now = Date.now, viteDevelopment = false, process: number } = options;
  const isFirst = number === undefined || number === 1;
  const undo: UndoStep[] = [];

  try {
    const { address, stop } = await (options.prepared ?? prepareDatabase(options));
    undo.push(stop);

    const secrets = options.secrets ?? (await loadSecrets(config));
    const issuer = `${config.publicUrl}/auth/v1`;
    const tokens = await openTokenKeys({ jwtKeys: secrets.jwtKeys, issuer, now });
    const { additionalJwtKeys } = config.secrets;
    const acceptance = { issuer, now, sessionless: config.sessionlessTokens };
    const additionalKeys = additionalJwtKeys && (await openAdditionalKeys({ ...additionalJwtKeys, ...acceptance }));

    const prometheus = config.metrics && (await import('#server/metrics/prometheus.ts')).createPrometheusMetrics(log);
    const metrics = prometheus ?? NO_METRICS;
    const pooler = config.database.kind === 'url' ? config.database.pooler : null;
    const database = openDatabase({
      address,
      pooler: pooler === null ? undefined : { connectionString: pooler },
      log,
      development: !config.production,
      itemsPerAccount: config.itemsPerAccount,
      claimableCodes: config.claimableCodes,
      connections: config.databaseConnections,
    });
    undo.push(() => database.close());
    await checkConnections(database);
    // The embedded database is started with enough of them. A pooler opens its own.
    if (isFirst && config.database.kind === 'url' && pooler === null) {
      const { webProcesses: processes, databaseConnections } = config;
      await warnOfFewConnections(database, {
        most: databaseConnections * (processes === 1 ? 1 : processes + 1),
        log,
      });
    }

    if (isFirst) await makeFirstOperator({ config, database, log });

    const sent = createSentKeys({ database, log });
    const sender = options.delivery ?? rememberSentMails(createDelivery({ config, database, log, now }), sent);
    const counted = countDeliveries(sender, metrics);
    // What no mail server is asked to send is no failure of one.
    const delivery = config.hasMail ? counted : withoutMail(counted);
    if (isFirst && !config.hasMail && config.operatorEmail !== null) {
      log.warn('OPERATOR_EMAIL gets no email, because SMTP_URL is none. Reports are in the console.');
    }
    undo.push(async () => delivery.settled?.());
    const outbound = options.outbound ?? createOutboundClient({ allowed: config.outboundAllowed });
    undo.push(() => outbound.close());
    const { pushKey } = secrets;
    const push =
      pushKey === null ? null : createWebPush({ outbound, privateKey: pushKey, subject: pushSubject(config) });

    const limits = createRateLimits({ database, log, development: !config.production, changed: config.limits });
    if (isFirst) {
      const bounding = setInterval(() => {
        boundLimitCounts(database).catch((error: unknown) =>
          log.warn({ err: error }, 'The counts of limits could not be bounded; it is tried again.'),
        );
      }, LIMIT_COUNTS.everyMs);
      bounding.unref();
      undo.push(() => clearInterval(bounding));
    }
    const files = await openStorageFiles(config, log);
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
      outbound,
      push,
      sent,
      limits,
      misses: createMissLimit({ limits, now }),
      callerMemory: shareCallerMemory(config.callerMemoryBytes ?? callerMemoryFor()),
      files,
      backups:
        config.backups === null || !isFirst
          ? null
          : scheduleBackups({
              settings: config.backups,
              place: openPlace(config.backups.to, config.objectStore),
              address,
              root,
              blobs: files.blobs,
              log,
              metrics,
              now,
            }),
      metrics,
      log,
      now,
    };

    const realtime = await createRealtimeServer(dependencies);
    undo.push(() => realtime.close());
    const web = await createWeb(dependencies, {
      root,
      viteDevelopment,
      // Pages call the service in process, as any client. Limits apply to the visitor's own address; the response is
      // handled by the page.
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
      ...(prometheus !== null && { countRequest: prometheus.countRequest }),
      ...(options.auth !== undefined && { auth: options.auth }),
    });

    if (isFirst) {
      const jobs = await startJobs(dependencies);
      undo.push(() => jobs.stop());
    }

    if (config.metrics !== null && prometheus !== null) {
      measureService(metrics, { database, now });
      measureUploads(metrics, dependencies.files);
      if (number === undefined) {
        const scrapes = await listenForScrapes({ ...config.metrics, expose: prometheus.expose, log });
        undo.push(() => scrapes.close());
      }
    }

    await options.freePort?.();
    const listener = await listen({
      fetch: app.fetch,
      from: config,
      webSocketBounds: realtime.webSocketBounds,
      mostConnections: dependencies.callerMemory.connections,
      // Behind a proxy every connection comes from the proxy, so the limits per address do not apply.
      ...(config.trustedProxies === 0 && {
        addressOf: (socketAddress) => clientAddress(socketAddress, undefined, 0),
        isCut: (address) => flood.cutFor(address) !== null,
      }),
    });

    // Behind what has to be ready: a large table takes a while to be looked at.
    if (isFirst) {
      const counting = new AbortController();
      const logged = logExcludedNumbers({ ...dependencies, signal: counting.signal }).catch((error: unknown) =>
        log.warn({ err: error }, 'Which numbers SMS_COUNTRIES excludes could not be found out.'),
      );
      undo.push(() => {
        counting.abort();
        return logged;
      });
    }

    return {
      url: `http://localhost:${listener.port}`,
      dependencies,
      readMetrics: async () => prometheus?.read() ?? [],
      readCounts: async () => prometheus?.readCounts() ?? [],
      async stop(drain) {
        const closed = listener.close(drain);
        // Streams and sockets never end by themselves; their clients reconnect to the next server.
        stopping.abort();
        undo.push(
          () => closed,
          () => realtime.close(drain.requestsMs * SOCKETS_PART),
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

/** Push services require an https or mailto URL, and refuse localhost. */
function pushSubject({ publicUrl, smtp }: Config): string {
  if (publicUrl.startsWith('https:')) return publicUrl;
  const [address = 'nobody@example.org'] = /[^\s<>]+@[^\s<>]+/.exec(smtp?.from ?? '') ?? [];
  return `mailto:${address}`;
}
