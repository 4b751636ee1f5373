import type { CallOptions } from '#server/postgres/caller.ts';
import type { Statement } from '#server/postgres/statement.ts';
import type { Answer } from './answers/answer.ts';
import type { PlanRequest, Representation } from './answers/representation.ts';
import { callOptions } from './call-options.ts';
import type { Preferences } from './grammar/parse-preferences.ts';
import type { Query } from './grammar/tree.ts';
import { onlyRow } from './only-row.ts';
import type { RestContext, RestRequest } from './rest-request.ts';
import type { Relation } from './schema-cache/schema.ts';
import type { StatementAnswer } from './sql/answer-sql.ts';
import { Parameters } from './sql/parameters.ts';
import type { Writing } from './sql/rows-sql.ts';

/** One request with everything that was read of it. */
export interface Serving {
  readonly context: RestContext;
  readonly request: RestRequest;
  readonly preferences: Preferences;
  readonly representation: Representation;
}

/** The same for a table or a view. */
export interface RelationServing extends Serving {
  readonly relation: Relation;
  readonly query: Query;
}

/** What the parts of one request's statement share. */
export function beginWriting({ settings: { mostRows, aggregates } }: RestContext): Writing {
  return { parameters: new Parameters(), mostRows, aggregates };
}

export interface RunOptions {
  readonly readOnly: boolean;
  /** How many rows the change is about; one where nothing is said. */
  readonly rows?: number;
  /** Refuses an answer by throwing, before it is committed. */
  readonly check?: ((answer: StatementAnswer) => void) | undefined;
}

/** Runs the one statement of a call as its caller: in one flight, or in two where the answer can still be refused. */
export function runStatement(
  serving: Serving,
  statement: Statement,
  { rows = 1, ...options }: RunOptions,
): Promise<StatementAnswer> {
  const { context, request, preferences } = serving;
  return context.claims.watch(request, {
    rows,
    isUndone: preferences.transaction === 'rollback',
    make: () => run(serving, statement, options),
  });
}

async function run(
  { context, request, preferences }: Serving,
  statement: Statement,
  { readOnly, check }: Omit<RunOptions, 'rows'>,
): Promise<StatementAnswer> {
  const { database, names } = context;
  const { caller } = request;
  const named = statement.name === undefined ? names.named(caller.role, statement) : statement;
  const options = callOptions(context, request, preferences, readOnly);
  if (check === undefined || readOnly) {
    const answer = onlyRow((await database.asCaller<StatementAnswer>(caller, named, options)).rows);
    check?.(answer);
    return answer;
  }
  return database.transactAsCaller(
    caller,
    async (transaction) => {
      const answer = onlyRow((await transaction.query<StatementAnswer>(named)).rows);
      check(answer);
      return answer;
    },
    options,
  );
}

/** How PostgreSQL would run the statement, or, with `analyze`, how it did: then nothing of it is kept. */
export async function explainStatement(
  { context, request, preferences, representation }: Serving,
  { text, values = [] }: Statement,
  { format, options }: PlanRequest,
  readOnly: boolean,
): Promise<Answer> {
  const words = [`format ${format}`, ...options].join(', ');
  const called: CallOptions = { ...callOptions(context, request, preferences, readOnly), rollback: true };
  const explained = { text: `explain (${words}) ${text}`, values };
  const { rows } = await context.claims.watch(request, {
    rows: 1,
    isUndone: true,
    make: () => context.database.asCaller<{ 'QUERY PLAN': unknown }>(request.caller, explained, called),
  });
  const plan = rows.map((row) => row['QUERY PLAN']);
  const body = format === 'json' ? JSON.stringify(plan[0]) : plan.join('\n');
  return { status: 200, body, contentType: representation.contentType };
}
