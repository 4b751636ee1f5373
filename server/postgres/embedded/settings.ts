/** What the product runs its PostgreSQL with, beside PostgreSQL's own durable defaults, which stay as they are. */
export const SETTINGS: Readonly<Record<string, string>> = {
  // For a small machine that the server and others share.
  max_connections: '60',
  shared_buffers: '128MB',
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
