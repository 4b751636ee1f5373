/**
 * The HTTP status that a PostgreSQL error answers with, from its SQLSTATE: PostgREST's table, wire contract section
 * 2.3. A longer prefix wins. What is not here is the caller's mistake: 400.
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
  '54': 500,
  '55': 500,
  '57': 500,
  // The server is stopping, crashed or starting.
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

/** Where the message says more than the code: a change of everything that was stopped, a role that is not there. */
const STATUS_BY_MESSAGE: readonly (readonly [code: string, message: RegExp, status: number])[] = [
  ['21000', /requires a WHERE clause$/, 400],
  ['22023', /^role "[^"]*" does not exist$/, 401],
];

/** A statement was ended by its time limit, or by an administrator. */
export const QUERY_CANCELED = '57014';

/** `PTxyz` is how a function of ours chooses its own status: `raise … using errcode = 'PT404'`. */
const OWN_STATUS = /^PT([2-5]\d\d)$/;

export function httpStatusOfSqlState(code: string, message = ''): number {
  const own = OWN_STATUS.exec(code)?.[1];
  if (own !== undefined) return Number(own);
  const said = STATUS_BY_MESSAGE.find(([of, words]) => of === code && words.test(message));
  if (said !== undefined) return said[2];
  return STATUS_BY_PREFIX[code] ?? STATUS_BY_PREFIX[code.slice(0, 2)] ?? 400;
}

/** What PostgreSQL says about a statement that failed. */
export interface PostgresError {
  readonly code: string;
  readonly message: string;
  readonly detail: string | null;
  readonly hint: string | null;
  /** Names of what the statement would have broken: its schema, its table, its column, its constraint. */
  readonly schemaName: string | null;
  readonly table: string | null;
  readonly column: string | null;
  readonly constraint: string | null;
  /** Raised by a function with `raise`, so its words were written for the caller. */
  readonly raised: boolean;
}

/** The error as PostgreSQL sent it, or null where the failure is not one of a statement (a lost connection). */
export function asPostgresError(error: unknown): PostgresError | null {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return null;
  const { code } = error;
  // The driver takes over the fields of ErrorResponse; any of them can be missing.
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
    // The C function inside PL/pgSQL that reports a RAISE; PostgreSQL's own errors come from other ones.
    raised: field('routine') === 'exec_stmt_raise',
  };
}
