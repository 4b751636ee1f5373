/**
 * One SQL statement with its parameters. With a name it is prepared once on each connection; a name must stand
 * for exactly one text.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** What came back: rows as objects, how many rows the statement touched, and the command tag's verb. */
export interface StatementResult<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

/** Runs statements on one connection, inside one transaction. */
export interface Transaction {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<StatementResult<Row>>;
}
