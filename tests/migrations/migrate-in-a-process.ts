import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '#server/postgres/migrate.ts';

/**
 * Migrates in a separate process, for tests that kill it. Its argument has address and folder as JSON; it prints a line
 * per applied migration. It does not exit by itself, because it could do so before the kill.
 */
const { address, directory } = JSON.parse(process.argv[2] ?? '{}');
await migrate({
  address,
  directory,
  log: {
    debug: (fields) => process.stdout.write(`${'migration' in fields ? fields.migration : '-'}\n`),
    info: () => undefined,
    warn: () => undefined,
    error: (fields, message) => console.error(message, fields),
  },
});
await pause(60_000);
