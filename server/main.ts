import { flushCompileCache } from 'node:module';
import { readConfig, readEnvironment } from './config.ts';
import { createLog } from './log/create-log.ts';
import { OperatorError } from './operator-error.ts';
import { prepareDatabase } from './prepare-database.ts';
import { PROJECT_ROOT } from './project-root.ts';
import { noteRunning } from './running-file.ts';

/** How long requests in progress and running jobs may take after a signal to stop, in milliseconds. */
const DRAIN_MS = 10_000;

async function main(): Promise<void> {
  const config = readConfig(readEnvironment(process.env));
  const log = createLog({ level: config.logLevel });
  const root = PROJECT_ROOT;
  // PostgreSQL starts, and recovers after a crash, while the rest of the program is loaded. It must be launched first:
  // this process does nothing else while it loads modules.
  const launched = Promise.withResolvers<void>();
  const prepared = prepareDatabase({ config, log, root, onLaunch: launched.resolve });
  await Promise.race([launched.promise, prepared]);
  // The service awaits it later; it may fail before then.
  prepared.catch(() => undefined);
  const { startService } = await import('./start-service.ts');
  const service = await startService({ config, log, root, prepared, viteDevelopment: process.argv.includes('--dev') });
  const forget = config.production ? null : await noteRunning(config.dataDirectory, service.url);

  process.stdout.write(
    config.production
      ? `${config.productName} is ready at ${config.publicUrl}\n`
      : `${config.productName} is ready at ${service.url} (every email and SMS is kept at ${service.url}/dev/outbox)\n`,
  );

  // Node writes the cache only at a clean exit: after a kill, the next start would compile everything again.
  flushCompileCache();

  let stopping = false;
  const stop = (signal: string) => {
    // A terminal sends Ctrl-C to every process of the group, and the launcher forwards it too.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'Stopping: finishing requests in progress.');
    const late = setTimeout(() => {
      log.error({}, 'Some requests did not finish in time.');
      process.exit(1);
    }, DRAIN_MS + 15_000);
    late.unref();
    service
      .stop(DRAIN_MS)
      .then(forget)
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        log.error({ err: error }, 'Stopping failed.');
        process.exit(1);
      });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The terminal was closed.
  process.on('SIGHUP', stop);
  // The launcher has ended, perhaps killed, so no other process would stop this one.
  process.on('disconnect', () => stop('disconnect'));
}

main().catch((error: unknown) => {
  // Foreseen errors are printed as a message, others with their stack.
  const text = error instanceof OperatorError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
