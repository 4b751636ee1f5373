/**
 * A SQL statement with its parameters. A named statement is prepared once per connection; a name must belong to exactly
 * one text.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Receives the SQLSTATE of each notice that it raises, before its result, also where it fails or is rolled back. */
  readonly onNotice?: ((code: string) => void) | undefined;
}

/** The rows as objects, and how many rows the statement affected. */
export interface StatementResult<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

/** Runs statements on one connection within one transaction. */
export interface Transaction {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<StatementResult<Row>>;
}

/** Converts a statement to the driver's form, which needs a mutable array. */
export function asQueryConfig(statement: Statement): { name?: string; text: string; values?: unknown[] } {
  const config: { name?: string; text: string; values?: unknown[] } = { text: statement.text };
  if (statement.name !== undefined) config.name = statement.name;
  if (statement.values !== undefined) config.values = [...statement.values];
  return config;
}
