import { availableParallelism } from 'node:os';
import { createPasswordHasher } from '#server/auth/accounts/passwords.ts';
import { type Config, readConfig, readEnvironment } from '#server/config.ts';
import { callerMemoryFor, LEAST_CALLER_MEMORY } from '#server/limits/memory/caller-memory.ts';
import { createLog } from '#server/log/create-log.ts';
import { PROJECT_ROOT } from '#server/project-root.ts';
import { type Service, type ServiceOptions, startService } from '#server/start/start-service.ts';
import { REPLACED_DRAIN, STOP_DRAIN, stopInOrder, stopWithin } from '#server/start/stop-in-order.ts';
import { ALIVE_EVERY_MS, type FromWorker, type ToWorker } from './messages.ts';

/**
 * Serves as one of the processes of a supervisor, until it says so or is gone. Resolves when it serves.
 *
 * @param parts - For tests; the defaults are the real parts.
 */
export async function serveAsOneOfSeveral(
  parts: Pick<ServiceOptions, 'auth' | 'delivery' | 'now'> = {},
): Promise<void> {
  // A terminal sends these to every process of the group; the supervisor decides.
  process.on('SIGINT', () => undefined);
  process.on('SIGHUP', () => undefined);
  let service: Service | undefined;
  let stop: (reason: string) => void = () => process.exit(0);
  let drain = STOP_DRAIN;
  process.on('SIGTERM', () => stop('SIGTERM'));
  const started = Promise.withResolvers<Extract<ToWorker, { kind: 'start' }>>();
  const mayListen = Promise.withResolvers<void>();
  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'start') started.resolve(message);
    else if (message.kind === 'listen') mayListen.resolve();
    else if (message.kind === 'stop') {
      drain = message.drain;
      stop('supervisor');
    } else if (message.kind === 'read metrics' && service !== undefined) {
      void report({ kind: 'metrics', id: message.id, metrics: await service.readMetrics() });
    }
  });
  const { index, address } = await started.promise;
  setInterval(() => void report({ kind: 'alive' }), ALIVE_EVERY_MS);

  const config = shareOf(readConfig(readEnvironment(process.env)));
  const log = createLog({ level: config.logLevel, process: index });
  service = await startService({
    config,
    log,
    root: PROJECT_ROOT,
    process: index,
    async freePort() {
      void report({ kind: 'ready' });
      await mayListen.promise;
    },
    ...(address !== null && { address }),
    auth: { passwords: createPasswordHasher({ cores: Math.ceil(availableParallelism() / config.webProcesses) }) },
    ...parts,
  });
  const { url, stop: stopService, readCounts } = service;
  const stopAndReport = async () => {
    await stopService(drain);
    await report({ kind: 'counts', metrics: await readCounts() });
  };
  // The supervisor ends it earlier where it has less time.
  stop = stopInOrder(stopAndReport, log, stopWithin(REPLACED_DRAIN));
  void report({ kind: 'listening', url });
}

/** Divides what a server may hold in memory among its processes. */
function shareOf(config: Config): Config {
  const { webProcesses: processes, callerMemoryBytes } = config;
  return {
    ...config,
    callerMemoryBytes:
      callerMemoryBytes === undefined
        ? callerMemoryFor({ processes })
        : Math.max(LEAST_CALLER_MEMORY, Math.floor(callerMemoryBytes / processes)),
  };
}

/** Resolves when the message is on its way. */
function report(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    // The supervisor may have ended.
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
