import { totalmem } from 'node:os';

/** What the product runs its PostgreSQL with, beside PostgreSQL's own durable defaults, which stay as they are. */
export const SETTINGS: Readonly<Record<string, string>> = {
  // For a small machine that the server and others share.
  max_connections: '60',
  max_wal_size: '256MB',
  wal_compression: 'pglz',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  unix_socket_permissions: '0700',
  // Statements and rows hold what people wrote, and so does the line of an error ("invalid input syntax for type uuid: …").
  // The server's own log has each failure by its code.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: '0',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
};

const MIB = 1_048_576;
const LEAST_BUFFERS = 128;
/** Beyond it PostgreSQL gains little over the system's own cache. */
const MOST_BUFFERS = 8_192;

/**
 * How much memory PostgreSQL keeps its pages in, in MiB: an eighth of what the machine or the container has, since the
 * server and the system's cache live there too.
 *
 * @example
 * sharedBuffersFor(4 * 1024 ** 3) // 512
 */
export function sharedBuffersFor(memoryBytes = availableMemory()): number {
  return Math.min(MOST_BUFFERS, Math.max(LEAST_BUFFERS, Math.floor(memoryBytes / 8 / MIB)));
}

/** Bytes. A container's limit counts where it is below what the machine has; without one Node says 0 or more than that. */
function availableMemory(): number {
  const machine = totalmem();
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(machine, limit) : machine;
}
