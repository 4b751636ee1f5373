import { resolve } from 'node:path';
import { readConfig } from './config.ts';
import { createLog } from './create-log.ts';
import { OperatorError } from './operator-error.ts';
import { noteRunning } from './running-file.ts';
import { startService } from './start-service.ts';

/** How long requests that are being answered, and running jobs, get after a signal to stop. */
const DRAIN_MS = 10_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel });
  const service = await startService({
    config,
    log,
    root: resolve(import.meta.dirname, '..'),
    viteDevelopment: process.argv.includes('--dev'),
  });
  const forget = config.production ? null : await noteRunning(config.dataDirectory, service.url);

  process.stdout.write(
    config.production
      ? `${config.productName} is ready at ${config.publicUrl}\n`
      : `${config.productName} is ready at ${service.url} (every e-mail and SMS is kept at ${service.url}/dev/outbox)\n`,
  );

  let stopping = false;
  const stop = (signal: string) => {
    // A terminal sends Ctrl-C to every process of the group, and the launcher passes it on too.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'Stopping: finishing what is being answered.');
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
  // The launcher is gone, killed perhaps: nobody is left who would stop us.
  process.on('disconnect', () => stop('disconnect'));
}

main().catch((error: unknown) => {
  // What was foreseen is told in words; the stack is for what nobody foresaw.
  const text = error instanceof OperatorError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
