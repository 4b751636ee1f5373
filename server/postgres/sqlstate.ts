/**
 * The HTTP status of a PostgreSQL error by SQLSTATE, as in PostgREST except for class 54 (docs/protocol/rest.md,
 * Errors). A longer prefix wins; the default is 400. Class 54, limits of PostgreSQL itself, is left to the default: a
 * value or a query of the request exceeded them.
 */
const STATUS_BY_PREFIX: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '21000': 500,
  '23503': 409,
  '23505': 409,
  '25': 500,
  '25006': 405,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '42501': 403,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53': 503,
  '53400': 500,
  '55': 500,
  '57': 500,
  // The server is stopping, has crashed or is starting.
  '57P01': 503,
  '57P02': 503,
  '57P03': 503,
  '58': 500,
  F0: 500,
  HV: 500,
  P0001: 400,
  P0: 500,
  XX: 500,
};

/**
 * Exceptions by message: a change of all rows that was refused, a role that does not exist, and values that are too large
 * or too deep for the functions that read them, which PostgreSQL reports as internal errors.
 */
const STATUS_BY_MESSAGE: readonly (readonly [code: string, message: RegExp, status: number])[] = [
  ['21000', /requires a WHERE clause$/, 400],
  ['22023', /^role "[^"]*" does not exist$/, 401],
  ['XX000', /^invalid memory alloc request size \d+$/, 400],
  ['XX000', /^tsquery stack too small$/, 400],
];

/** A statement was ended by its timeout or by an administrator. */
export const QUERY_CANCELED = '57014';

/** A transaction was ended, because it and another waited for each other's locks. */
export const DEADLOCK_DETECTED = '40P01';

/** A statement would write in a transaction that may only read. */
export const READ_ONLY = '25006';

/** A pooler responds so to a startup parameter that it does not support. */
export const PROTOCOL_VIOLATION = '08P01';

/** PostgreSQL ends the connection with these: it stops, has crashed or is starting, or a session's time is up. */
const ENDS_CONNECTION = /^(57P0[1-5]|25P03)$/;

/** Whether PostgreSQL ended the connection with this error, which the driver learns only afterwards. */
export function endsConnection(error: unknown): boolean {
  const code = asPostgresError(error)?.code;
  return code !== undefined && ENDS_CONNECTION.test(code);
}

/** `PTxyz` lets a function choose its own status: `raise … using errcode = 'PT404'`. */
const OWN_STATUS = /^PT([2-5]\d\d)$/;

export function httpStatusOfSqlState(code: string, message = ''): number {
  const own = OWN_STATUS.exec(code)?.[1];
  if (own !== undefined) return Number(own);
  const said = STATUS_BY_MESSAGE.find(([of, words]) => of === code && words.test(message));
  if (said !== undefined) return said[2];
  return STATUS_BY_PREFIX[code] ?? STATUS_BY_PREFIX[code.slice(0, 2)] ?? 400;
}

/** The fields of a PostgreSQL error. */
export interface PostgresError {
  readonly code: string;
  readonly message: string;
  readonly detail: string | null;
  readonly hint: string | null;
  /** The schema, table, column and constraint that the error names. */
  readonly schemaName: string | null;
  readonly table: string | null;
  readonly column: string | null;
  readonly constraint: string | null;
  /** Whether a function raised it with `raise`, so that its message was written for the caller. */
  readonly raised: boolean;
}

/** Returns the PostgreSQL error, or null for any other failure, such as a lost connection. */
export function asPostgresError(error: unknown): PostgresError | null {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return null;
  const { code } = error;
  // The driver copies the fields of ErrorResponse, any of which may be missing.
  const field = (name: string): string | null => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : null;
  };
  if (typeof code !== 'string' || code.length !== 5) return null;
  return {
    code,
    message: error.message,
    detail: field('detail'),
    hint: field('hint'),
    schemaName: field('schema'),
    table: field('table'),
    column: field('column'),
    constraint: field('constraint'),
    // The C function of PL/pgSQL that reports a RAISE. PostgreSQL's own errors come from others.
    raised: field('routine') === 'exec_stmt_raise',
  };
}
