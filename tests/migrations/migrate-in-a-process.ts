import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '#server/postgres/migrate.ts';

/**
 * Migrates as a process of its own, for tests that kill it: the address and the folder come as JSON in its argument,
 * and each migration that is applied is a line of its output. It does not end by itself, which could be before the kill.
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
