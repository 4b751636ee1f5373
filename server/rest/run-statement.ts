import type { CallOptions } from '#server/postgres/caller.ts';
import type { Statement } from '#server/postgres/statement.ts';
import { retryAfterDeadlock } from '#server/postgres/transact.ts';
import { callOptions } from './call-options.ts';
import { countLookUps } from './count-look-ups.ts';
import type { Preferences } from './grammar/parse-preferences.ts';
import type { Query } from './grammar/tree.ts';
import { onlyRow } from './only-row.ts';
import type { PlanRequest, Representation } from './responses/representation.ts';
import type { RestResponse } from './responses/respond.ts';
import type { RestContext, RestRequest } from './rest-request.ts';
import type { Relation } from './schema-cache/schema.ts';
import { Parameters } from './sql/parameters.ts';
import type { StatementResponse } from './sql/response-sql.ts';
import type { Writing } from './sql/rows-sql.ts';

/** A request with its parsed preferences and representation. */
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

/** Creates what the parts of one request's statement share. */
export function beginWriting({ settings: { mostRows, aggregates } }: RestContext): Writing {
  return { parameters: new Parameters(), mostRows, aggregates };
}

export interface RunOptions {
  readonly readOnly: boolean;
  /** Refuses a response by throwing, before the commit. */
  readonly check?: ((response: StatementResponse) => void) | undefined;
}

/**
 * Runs the single statement of a request as its caller: in one round trip, or in two where the response can still be
 * refused.
 */
export function runStatement(serving: Serving, statement: Statement, options: RunOptions): Promise<StatementResponse> {
  const { context, request, preferences } = serving;
  return countLookUps(context.misses, request, {
    isUndone: preferences.transaction === 'rollback',
    make: (watched) => run(serving, watched(statement), options),
  });
}

async function run(
  { context, request, preferences }: Serving,
  statement: Statement,
  { readOnly, check }: RunOptions,
): Promise<StatementResponse> {
  const { database, names } = context;
  const { caller } = request;
  const named = statement.name === undefined ? names.named(caller.role, statement) : statement;
  const mayBeUndone = !readOnly && (preferences.transaction === 'rollback' || check !== undefined);
  const options = callOptions(context, request, preferences, { readOnly, mayBeUndone });
  if (check === undefined || readOnly) {
    const response = onlyRow((await database.asCaller<StatementResponse>(caller, named, options)).rows);
    check?.(response);
    return response;
  }
  return retryAfterDeadlock(() =>
    database.transactAsCaller(
      caller,
      async (transaction) => {
        const response = onlyRow((await transaction.query<StatementResponse>(named)).rows);
        check(response);
        return response;
      },
      options,
    ),
  );
}

/** Returns the plan of a statement. With `analyze` the statement runs and is rolled back. */
export async function explainStatement(
  { context, request, preferences, representation }: Serving,
  { text, values = [] }: Statement,
  { format, options }: PlanRequest,
  readOnly: boolean,
): Promise<RestResponse> {
  const words = [`format ${format}`, ...options].join(', ');
  const kind = { readOnly, mayBeUndone: true };
  const called: CallOptions = { ...callOptions(context, request, preferences, kind), rollback: true };
  const explained = { text: `explain (${words}) ${text}`, values };
  const { rows } = await countLookUps(context.misses, request, {
    isUndone: true,
    make: (watched) => context.database.asCaller<{ 'QUERY PLAN': unknown }>(request.caller, watched(explained), called),
  });
  const plan = rows.map((row) => row['QUERY PLAN']);
  const body = format === 'json' ? JSON.stringify(plan[0]) : plan.join('\n');
  return { status: 200, body, contentType: representation.contentType };
}
