import { asPostgresError } from '#server/postgres/sqlstate.ts';

/** Names of the schema that an error of PostgreSQL is about. None is a value of a row. */
export interface ErrorContext {
  readonly schema?: string;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
  /** The PL/pgSQL functions that were running, the innermost first, each with its line. */
  readonly functions?: readonly string[];
}

/**
 * A line of the context that PostgreSQL writes for a function: its signature, as `regprocedure` prints it, and the line.
 * The other lines contain statements, and so values.
 */
const FUNCTION_LINE = /^PL\/pgSQL function ((?:[\w.$]|"[^"]*")+\([\w.$ ,"[\]]*\) line \d+) at [\w ]+$/gm;

/** Returns what an error of PostgreSQL is about, without any value; null for any other failure. */
export function errorContextOf(error: unknown): ErrorContext | null {
  const read = asPostgresError(error);
  if (read === null) return null;
  const where: unknown = error instanceof Error ? Reflect.get(error, 'where') : undefined;
  const functions = [...(typeof where === 'string' ? where : '').matchAll(FUNCTION_LINE)].flatMap(
    ([, name]) => name ?? [],
  );
  const { schemaName: schema, table, column, constraint } = read;
  const named = Object.entries({ schema, table, column, constraint }).filter(([, name]) => name !== null);
  return { ...Object.fromEntries(named), ...(functions.length > 0 && { functions }) };
}
