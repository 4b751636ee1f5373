import { type ClientBase, Query } from 'pg';
import { PrimaryClient } from './primary-client.ts';
import type { Statement, StatementResult } from './statement.ts';

/** A statement prepared once per connection, with text values. */
export interface OpeningStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly string[];
}

/**
 * Sends the opening statements and the main statement together with one Sync at the end, and calls back with the main
 * result. Where one fails, PostgreSQL skips those after it.
 *
 * Everything before one Sync is one implicit transaction, without BEGIN or COMMIT (PostgreSQL documentation, section
 * 54.2.4, "Pipelining"): settings made for the transaction apply to the statement and end with it, it is committed when
 * the response arrives, and after a failure the connection is ready again at once. A BEGIN among the openings leaves
 * the transaction open. Four statements with a Sync each need more than twice as many system calls on both sides.
 */
export function sendOpened<Row>(
  client: ClientBase,
  openings: readonly OpeningStatement[],
  statement: Statement,
  done: (error: Error | null, result: StatementResult<Row>) => void,
): void {
  // A pooler may send the next call to another session, which has not prepared it.
  const isPrepared = !(client instanceof PrimaryClient && client.isPooled);
  if (statement.onNotice !== undefined) passOnNotices(client);
  // The driver calls back with an error or with a result of this form.
  client.query(new OpenedQuery({ openings, statement, isPrepared }, done as Callback));
}

const passing = new WeakSet<ClientBase>();

/** From now on the statement whose response is arriving receives the client's notices. */
function passOnNotices(client: ClientBase): void {
  if (passing.has(client)) return;
  passing.add(client);
  client.on('notice', ({ code = '' }) => {
    // A method of the driver's client (pg/lib/client.js), which its types omit.
    const active = (client as unknown as { _getActiveQuery(): unknown })._getActiveQuery();
    if (active instanceof OpenedQuery) active.receiveNotice(code);
  });
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

/** The part of a connection that a query uses (pg/lib/connection.js), which the driver's types omit. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  /** Without a name the statement is prepared for the next `bind` alone. */
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(portal: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(): void;
}

/** The methods of a query that the driver calls as responses arrive (pg/lib/query.js), which its types omit. */
interface QueryResponse extends Query {
  name: string | undefined;
  text: string;
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
  handleError(error: Error, connection: Wire): void;
}

interface Opened {
  readonly openings: readonly OpeningStatement[];
  readonly statement: Statement;
  /** Whether named statements are prepared once for the connection. */
  readonly isPrepared: boolean;
}

type Callback = (error: Error | null, result?: unknown) => void;
const DriversQuery = Query as unknown as new (
  text: string,
  values: unknown[] | undefined,
  callback: Callback,
) => QueryResponse;

/**
 * The driver records prepared statements under the name and text of the current query, so these two properties are set
 * for each statement in turn.
 */
class OpenedQuery extends DriversQuery {
  #openings: readonly OpeningStatement[];
  #statement: Statement;
  #isPrepared: boolean;
  /** How many openings have their complete response. */
  #responded = 0;

  constructor({ openings, statement, isPrepared }: Opened, callback: Callback) {
    // Passed separately, because the driver copies a config object first.
    super(statement.text, statement.values === undefined ? undefined : [...statement.values], callback);
    this.#isPrepared = isPrepared;
    this.#openings = openings;
    this.#statement = statement;
    this.#turnTo(statement);
  }

  override submit = (connection: unknown): void => {
    // The driver submits a query to its connection.
    const wire = connection as Wire;
    wire.stream.cork();
    try {
      for (const opening of this.#openings) sendOpening(wire, opening, this.#isPrepared);
      this.prepare(wire);
    } finally {
      wire.stream.uncork();
    }
    this.#turnTo(this.#openings[0] ?? this.#statement);
  };

  get #isOpen(): boolean {
    return this.#responded === this.#openings.length;
  }

  override handleDataRow(message: unknown): void {
    if (this.#isOpen) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#isOpen) {
      super.handleCommandComplete(message, connection);
      return;
    }
    this.#responded += 1;
    this.#turnTo(this.#openings[this.#responded] ?? this.#statement);
  }

  override handleError(error: Error, connection: Wire): void {
    // PostgreSQL has not prepared what it skipped.
    for (const { name } of [...this.#openings.slice(this.#responded), this.#statement]) {
      if (name !== undefined) delete connection.submittedNamedStatements[name];
    }
    super.handleError(error, connection);
  }

  receiveNotice(code: string): void {
    this.#statement.onNotice?.(code);
  }

  #turnTo({ name, text }: Statement): void {
    this.name = this.#isPrepared ? name : undefined;
    this.text = text;
  }
}

function sendOpening(wire: Wire, { name, text, values }: OpeningStatement, isPrepared: boolean): void {
  if (!isPrepared) {
    wire.parse({ name: '', text });
    wire.bind({ statement: '', values });
    wire.execute();
    return;
  }
  if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
    wire.parse({ name, text });
    wire.submittedNamedStatements[name] = text;
  }
  wire.bind({ statement: name, values });
  wire.execute();
}
