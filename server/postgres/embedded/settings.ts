import { availableMemory } from '#server/memory/available-memory.ts';

/** The product's settings for PostgreSQL. Its durable defaults are kept. */
export const SETTINGS: Readonly<Record<string, string>> = {
  // For a small machine shared with the server and others.
  max_connections: '60',
  max_wal_size: '256MB',
  // wal_compression stays off: pglz, the only method of this build, takes a quarter of the CPU time of tagging an item.
  jit: 'off',
  // Nobody replicates into it: one process less.
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  unix_socket_permissions: '0700',
  // Statements, rows and error messages contain user data ("invalid input syntax for type uuid: …"). The server's own
  // log has each failure with its code.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: '0',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // After a crash PostgreSQL flushes all data files before it recovers. File by file that took 2.5 s of a start on a
  // busy machine, with one syncfs call 0.05 s. Only on Linux.
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
};

const MIB = 1_048_576;
const LEAST_BUFFERS = 128;
/** Above this, PostgreSQL gains little over the system's own cache. */
const MOST_BUFFERS = 8_192;

/**
 * Returns the size of PostgreSQL's shared buffers in MiB: an eighth of the machine's or container's memory, which the
 * server and the system's cache share.
 *
 * @example sharedBuffersFor(4 * 1024 ** 3) // 512
 */
export function sharedBuffersFor(memoryBytes = availableMemory()): number {
  return Math.min(MOST_BUFFERS, Math.max(LEAST_BUFFERS, Math.floor(memoryBytes / 8 / MIB)));
}
