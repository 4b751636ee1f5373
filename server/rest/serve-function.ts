import { VISITOR } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import { type Answer, appliedPreferences, represent } from './answers/answer.ts';
import { contentRange } from './answers/content-range.ts';
import { chooseRepresentation } from './answers/representation.ts';
import { maxAffectedNeedsSet, methodNotForFunctions, notServed, repeatedParameter, tooManyAffected } from './errors.ts';
import { parsePreferences } from './grammar/parse-preferences.ts';
import { type Parameter, splitQueryString } from './grammar/split-query-string.ts';
import type { Guard, GuardedCall } from './guarded-functions.ts';
import { asArgument, asRow, readJsonBody } from './request-body.ts';
import type { Schema, StoredFunction } from './schema-cache/schema.ts';
import type { RestRequest } from './serve-relation.ts';
import { type CallAnswer, callStatement, chooseFunction } from './sql/call-statement.ts';

export interface ServeFunctionOptions {
  readonly database: Database;
  readonly schema: Schema;
  readonly guards: ReadonlyMap<string, Guard>;
}

/** Parameters that shape the rows of a function which returns some, and are none of its arguments. */
const SHAPING = new Set(['select', 'order', 'limit', 'offset', 'columns', 'and', 'or', 'not.and', 'not.or']);

/** `/rest/v1/rpc/{function}`: by POST with a JSON object of arguments, by GET with the arguments as parameters. */
export async function serveFunction(
  { database, schema, guards }: ServeFunctionOptions,
  request: RestRequest,
): Promise<Answer> {
  const { method, name } = request;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw methodNotForFunctions(method);
  const representation = chooseRepresentation(request.accept);
  const preferences = parsePreferences(request.prefer);
  const parameters = splitQueryString(request.queryString);
  if (parameters.some(([parameter]) => SHAPING.has(parameter))) {
    throw notServed('This server does not select, filter or sort what a function returns yet.');
  }
  const given = method === 'POST' ? await argumentsInBody(request.raw) : argumentsInQuery(parameters);
  const called = chooseFunction(schema, name, [...given.keys()]);
  const set = called.result.kind !== 'void' && called.result.set;
  const { maxAffected } = preferences;
  if (maxAffected !== null && !set) throw maxAffectedNeedsSet();

  const values = new Map(
    called.arguments.flatMap(({ name, type }) =>
      given.has(name) ? [[name, asArgument(given.get(name), type)] as const] : [],
    ),
  );
  const guard = guards.get(name);
  const call: GuardedCall = {
    clientAddress: request.clientAddress,
    argument: (argument) => String(values.get(argument) ?? ''),
  };
  await guard?.before?.(call);
  const instead = guard?.instead?.();
  const answer =
    instead === undefined
      ? await makeCall(database, request, called, values, maxAffected)
      : { body: instead, affected: 1 };
  await guard?.after?.(call, answer.body);

  if (answer.body === null) return { status: 204, body: null, contentType: '' };
  return {
    status: 200,
    body: set ? represent(answer.body, answer.affected, representation) : answer.body,
    contentType: representation.contentType,
    headers: {
      ...(set ? { 'Content-Range': contentRange(0, answer.affected, null) } : {}),
      ...appliedPreferences(preferences, ['handling', 'maxAffected']),
    },
  };
}

/** A visitor's call of a function that cannot write is one statement on connections that are a visitor's already. */
async function makeCall(
  database: Database,
  { caller, method }: RestRequest,
  called: StoredFunction,
  values: ReadonlyMap<string, unknown>,
  maxAffected: number | null,
): Promise<CallAnswer> {
  const statement = callStatement(called, values);
  if (caller === VISITOR && called.readsOnly)
    return onlyRow((await database.readAsVisitor<CallAnswer>(statement)).rows);
  const options = { readOnly: called.readsOnly || method !== 'POST' };
  if (maxAffected === null) return onlyRow((await database.asCaller<CallAnswer>(caller, statement, options)).rows);
  return database.transactAsCaller(
    caller,
    async (transaction) => {
      const answer = onlyRow((await transaction.query<CallAnswer>(statement)).rows);
      if (answer.affected > maxAffected) throw tooManyAffected(answer.affected);
      return answer;
    },
    options,
  );
}

async function argumentsInBody(request: Request): Promise<ReadonlyMap<string, unknown>> {
  // A function without arguments may be called without a body.
  if (request.body === null) return new Map();
  const { value } = await readJsonBody(request);
  return new Map(Object.entries(asRow(value)));
}

function argumentsInQuery(parameters: readonly Parameter[]): ReadonlyMap<string, unknown> {
  const given = new Map(parameters);
  if (given.size < parameters.length) {
    const repeated = parameters.find(([name], index) => parameters.findIndex(([other]) => other === name) < index);
    throw repeatedParameter(repeated?.[0] ?? '');
  }
  return given;
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A call that always answers one row answered none.');
  return row;
}
