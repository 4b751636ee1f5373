import { type Caller, VISITOR } from '#server/postgres/caller.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import { type Answer, appliedPreferences, represent } from './answers/answer.ts';
import { contentRange, pageStatus } from './answers/content-range.ts';
import { chooseRepresentation } from './answers/representation.ts';
import { callOptions } from './call-options.ts';
import { maxAffectedNeedsSet, methodNotForFunctions, tooManyAffected } from './errors.ts';
import { type Preferences, parsePreferences } from './grammar/parse-preferences.ts';
import { parseQuery } from './grammar/parse-query.ts';
import { type Parameter, splitQueryString } from './grammar/split-query-string.ts';
import type { GuardedCall } from './guarded-functions.ts';
import { onlyRow } from './only-row.ts';
import { argumentsInBody, argumentsInQuery } from './read-arguments.ts';
import { refuseRelationParameters } from './refuse-relation-parameters.ts';
import { asArgument } from './request-body.ts';
import type { RestContext, RestRequest } from './rest-request.ts';
import { type CallPlan, planCall } from './sql/call-plan.ts';
import type { RowsAnswer } from './sql/relation-statements.ts';
import { resultRowsStatement } from './sql/result-rows-statement.ts';

/** `/rest/v1/rpc/{function}`: by POST with a JSON object of arguments, by GET with the arguments as parameters. */
export async function serveFunction(context: RestContext, request: RestRequest): Promise<Answer> {
  const { method, name } = request;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw methodNotForFunctions(method);
  const parameters = splitQueryString(request.queryString);
  const { given, shaping } =
    method === 'POST'
      ? { given: await argumentsInBody(request.raw), shaping: parameters }
      : argumentsInQuery(context.schema, name, parameters);
  const plan = planCall(context.schema, name, [...given.keys()]);
  const values = plan.given.map((argument) => asArgument(given.get(argument.name), argument));

  const guard = request.caller.role === 'service_role' ? undefined : context.guards.get(name);
  if (guard === undefined) return answerCall(context, request, plan, values, shaping);
  const call: GuardedCall = {
    clientAddress: request.clientAddress,
    account: accountOf(request.caller),
    argument: (argument) => String(values[plan.given.findIndex((known) => known.name === argument)] ?? ''),
  };
  const waiting = guard.before?.(call);
  if (waiting !== undefined) await waiting;
  const instead = guard.instead?.();
  if (instead !== undefined) return { status: 200, body: instead, contentType: JSON_TYPE };
  let answer: Answer;
  try {
    answer = await answerCall(context, request, plan, values, shaping);
  } catch (error) {
    const code = asPostgresError(error)?.code;
    if (code !== undefined) await guard.failed?.(call, code);
    throw error;
  }
  const looking = answer.body === null ? undefined : guard.after?.(call, answer.body);
  if (looking !== undefined) await looking;
  return answer;
}

function accountOf({ claims }: Caller): string | null {
  const unfinished = claims.unfinished_sign_in;
  const { sub } = typeof unfinished === 'object' && unfinished !== null && 'sub' in unfinished ? unfinished : claims;
  return typeof sub === 'string' ? sub : null;
}

const JSON_TYPE = 'application/json; charset=utf-8';

async function answerCall(
  context: RestContext,
  request: RestRequest,
  plan: CallPlan,
  values: readonly unknown[],
  shaping: readonly Parameter[],
): Promise<Answer> {
  const preferences = parsePreferences(request.prefer);
  const { result } = plan.called;
  if (result.kind === 'composite' || (result.kind === 'scalar' && result.set)) {
    return answerRows(context, request, plan, values, shaping, preferences);
  }
  if (preferences.maxAffected !== null) throw maxAffectedNeedsSet();
  const representation = chooseRepresentation(request.accept);

  const { readsOnly } = plan.called;
  const statement = { name: plan.statement.name, text: plan.statement.text, values };
  // A visitor's call of a function that cannot write is one statement on connections that are a visitor's already.
  const { rows } =
    readsOnly && request.caller === VISITOR
      ? await context.database.readAsVisitor<{ body: string | null }>(statement)
      : await context.database.asCaller<{ body: string | null }>(
          request.caller,
          statement,
          callOptions(request.caller.role, readsOnly || request.method !== 'POST'),
        );
  if (result.kind === 'void' || minimal(request, preferences)) {
    return { status: 204, body: null, contentType: '', headers: appliedPreferences(preferences, ['returning']) };
  }
  return {
    status: 200,
    body: onlyRow(rows).body ?? 'null',
    contentType: representation.contentType,
    headers: appliedPreferences(preferences, ['handling']),
  };
}

/** A result with columns, or a set of values: it can be chosen from, filtered, sorted and paged as a table is. */
async function answerRows(
  { database, names }: RestContext,
  request: RestRequest,
  plan: CallPlan,
  values: readonly unknown[],
  shaping: readonly Parameter[],
  preferences: Preferences,
): Promise<Answer> {
  const { called } = plan;
  const { caller, method } = request;
  const set = called.result.kind !== 'void' && called.result.set;
  if (preferences.maxAffected !== null && !set) throw maxAffectedNeedsSet();
  const query = parseQuery(shaping);
  refuseRelationParameters(query);
  const representation = chooseRepresentation(request.accept);
  const statement = names.named(
    caller.role,
    resultRowsStatement(plan, values, query, { count: preferences.count !== null, rows: method !== 'HEAD' }),
  );
  const options = callOptions(caller.role, called.readsOnly || method !== 'POST');
  const check = (answer: RowsAnswer): RowsAnswer => {
    const most = preferences.maxAffected;
    if (most !== null && answer.affected > most) throw tooManyAffected(answer.affected);
    // One row is wanted where the function gives one, and where the caller says so.
    represent(answer.body, answer.affected, { ...representation, single: representation.single || !set });
    return answer;
  };
  // What a refused answer has changed is undone with it.
  const { body, affected, total } = options.readOnly
    ? check(onlyRow((await database.asCaller<RowsAnswer>(caller, statement, options)).rows))
    : await database.transactAsCaller(
        caller,
        async (transaction) => check(onlyRow((await transaction.query<RowsAnswer>(statement)).rows)),
        options,
      );
  if (minimal(request, preferences)) {
    return { status: 204, body: null, contentType: '', headers: appliedPreferences(preferences, ['returning']) };
  }
  return {
    status: set && !representation.single ? pageStatus(query.offset, affected, total) : 200,
    body: represent(body, affected, { ...representation, single: representation.single || !set }),
    contentType: representation.contentType,
    headers: {
      ...(set ? { 'Content-Range': contentRange(query.offset, affected, total) } : {}),
      ...appliedPreferences(preferences, ['count', 'handling', 'maxAffected']),
    },
  };
}

function minimal({ method }: RestRequest, { returning }: Preferences): boolean {
  return method === 'POST' && returning === 'minimal';
}
