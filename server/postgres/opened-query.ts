import { type ClientBase, Query } from 'pg';
import type { Statement, StatementResult } from './statement.ts';

/** A statement that is prepared once on each connection, with values that are texts. */
export interface OpeningStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly string[];
}

/**
 * Sends what opens a statement and the statement together, with one Sync at the end, and calls back with the answer to
 * the statement. Where one of them fails PostgreSQL passes over those after it.
 *
 * What stands before one Sync is one transaction of PostgreSQL's, without a BEGIN or a COMMIT ("Pipelining" in its
 * documentation, section 54.2.4): settings that are made for the transaction hold for the statement and end with it, it
 * is committed when it is answered, and where it fails nothing is kept and the connection can be used again at once. A
 * BEGIN among the openings leaves the transaction open. Four statements that are each synced by themselves cost more
 * than twice as many system calls on both sides.
 */
export function sendOpened<Row>(
  client: ClientBase,
  openings: readonly OpeningStatement[],
  statement: Statement,
  done: (error: Error | null, result: StatementResult<Row>) => void,
): void {
  // The driver calls back with an error or with a result of this form.
  client.query(new OpenedQuery(openings, statement, done as Callback));
}

/** The same as a promise. */
export function queryOpened<Row>(
  client: ClientBase,
  openings: readonly OpeningStatement[],
  statement: Statement,
): Promise<StatementResult<Row>> {
  return new Promise((resolve, reject) => {
    sendOpened<Row>(client, openings, statement, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** What a query sees of its connection (pg/lib/connection.js); the driver's types leave it out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(portal: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(): void;
}

/** What the driver calls on a query as its answers arrive (pg/lib/query.js); its types leave it out. */
interface AnsweredQuery extends Query {
  name: string | undefined;
  text: string;
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
  handleError(error: Error, connection: Wire): void;
}

type Callback = (error: Error | null, result?: unknown) => void;
const DriversQuery = Query as unknown as new (
  text: string,
  values: unknown[] | undefined,
  callback: Callback,
) => AnsweredQuery;

/**
 * The driver notes what a connection has prepared by the name and the text of the query that is being answered, so
 * these two are those of each part in its turn.
 */
class OpenedQuery extends DriversQuery {
  #openings: readonly OpeningStatement[];
  #statement: Statement;
  /** Openings whose answer is complete. */
  #answered = 0;

  constructor(openings: readonly OpeningStatement[], statement: Statement, callback: Callback) {
    // Given apart the driver takes them as they are; in one object it would copy that first.
    super(statement.text, statement.values === undefined ? undefined : [...statement.values], callback);
    this.name = statement.name;
    this.#openings = openings;
    this.#statement = statement;
  }

  override submit = (connection: unknown): void => {
    // The driver submits a query to its connection.
    const wire = connection as Wire;
    wire.stream.cork();
    try {
      for (const opening of this.#openings) sendOpening(wire, opening);
      this.prepare(wire);
    } finally {
      wire.stream.uncork();
    }
    this.#turnTo(this.#openings[0] ?? this.#statement);
  };

  get #isOpen(): boolean {
    return this.#answered === this.#openings.length;
  }

  override handleDataRow(message: unknown): void {
    if (this.#isOpen) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#isOpen) {
      super.handleCommandComplete(message, connection);
      return;
    }
    this.#answered += 1;
    this.#turnTo(this.#openings[this.#answered] ?? this.#statement);
  }

  override handleError(error: Error, connection: Wire): void {
    // What PostgreSQL has passed over is not prepared.
    for (const { name } of [...this.#openings.slice(this.#answered), this.#statement]) {
      if (name !== undefined) delete connection.submittedNamedStatements[name];
    }
    super.handleError(error, connection);
  }

  #turnTo({ name, text }: Statement): void {
    this.name = name;
    this.text = text;
  }
}

function sendOpening(wire: Wire, { name, text, values }: OpeningStatement): void {
  if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
    wire.parse({ name, text });
    wire.submittedNamedStatements[name] = text;
  }
  wire.bind({ statement: name, values });
  wire.execute();
}
