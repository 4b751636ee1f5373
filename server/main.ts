import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import { type Config, readConfig, readEnvironment } from './config.ts';
import { noteRunning } from './data-folder/running-file.ts';
import { createLog } from './log/create-log.ts';
import { OperatorError } from './operator-error.ts';
import { holdSignals, type PassSignals } from './processes/hold-signals.ts';
import { PROJECT_ROOT } from './project-root.ts';
import { missingSettings, withStandIns } from './set-up/missing-settings.ts';
import { prepareDatabase } from './start/prepare-database.ts';
import { STOP_DRAIN, stopInOrder } from './start/stop-in-order.ts';

async function main(): Promise<void> {
  if (cluster.isWorker) {
    const { serveAsOneOfSeveral } = await import('./processes/serve-as-one-of-several.ts');
    await serveAsOneOfSeveral();
  } else {
    await serveOrSupervise();
  }
  // Node writes the cache only at a clean exit: after a kill, the next start would compile everything again.
  flushCompileCache();
}

async function serveOrSupervise(): Promise<void> {
  const passSignals = holdSignals();
  const { config, freePort } = await readSettings(passSignals);
  const viteDevelopment = process.argv.includes('--dev');
  if (config.webProcesses > 1 && !viteDevelopment) {
    const { serveInSeveral } = await import('./processes/serve-in-several.ts');
    announce(config, await serveInSeveral(config, passSignals, freePort));
  } else {
    announce(config, await serve(config, { viteDevelopment, passSignals, freePort }));
  }
}

interface Settings {
  readonly config: Config;
  /** Called when the port is needed. */
  freePort(): void;
}

/** Reads the settings. A production server makes the secrets that none gives, and asks a person for what is missing. */
async function readSettings(passSignals: PassSignals): Promise<Settings> {
  const environment = readEnvironment(process.env);
  const asked = missingSettings(environment);
  const config = readConfig(withStandIns(environment, asked));
  // Before the database, which they have to last as long as.
  if (config.production && config.database.kind === 'embedded') {
    await (await import('./start/secrets.ts')).loadSecrets(config);
  }
  if (asked.size === 0) return { config, freePort: () => undefined };
  const { setUp } = await import('./set-up/set-up.ts');
  const freePort = await setUp({ config, environment, asked, passSignals });
  return { config: readConfig(readEnvironment(process.env)), freePort };
}

interface ServeOptions extends Pick<Settings, 'freePort'> {
  readonly viteDevelopment: boolean;
  readonly passSignals: PassSignals;
}

/** Serves in this process. Returns where. */
async function serve(config: Config, { viteDevelopment, passSignals, freePort }: ServeOptions): Promise<string> {
  const log = createLog({ level: config.logLevel });
  const root = PROJECT_ROOT;
  // PostgreSQL starts, and recovers after a crash, while the rest of the program is loaded. It must be launched first:
  // this process does nothing else while it loads modules.
  const launched = Promise.withResolvers<void>();
  const prepared = prepareDatabase({ config, log, root, onLaunch: launched.resolve });
  await Promise.race([launched.promise, prepared]);
  // The service awaits it later; it may fail before then.
  prepared.catch(() => undefined);
  const { startService } = await import('./start/start-service.ts');
  const service = await startService({ config, log, root, prepared, viteDevelopment, freePort });
  const forget = config.production ? null : await noteRunning(config.dataDirectory, service.url);

  const stop = stopInOrder(() => service.stop(STOP_DRAIN).then(async () => forget?.()), log);
  // A terminal that is closed sends SIGHUP.
  passSignals({ SIGTERM: stop, SIGINT: stop, SIGHUP: stop, disconnect: stop });
  return service.url;
}

function announce({ production, productName, publicUrl }: Config, url: string): void {
  process.stdout.write(
    production
      ? `${productName} is ready at ${publicUrl}\n`
      : `${productName} is ready at ${url} (every email and SMS is kept at ${url}/dev/outbox)\n`,
  );
}

main().catch((error: unknown) => {
  // Foreseen errors are printed as a message, others with their stack.
  const text = error instanceof OperatorError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
