import { type Caller, VISITOR } from '#server/postgres/caller.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import { type Answer, appliedPreferences, represent, requireSingle, withResponseSettings } from './answers/answer.ts';
import { contentRange, pageStatus } from './answers/content-range.ts';
import { chooseRepresentation, type Representation } from './answers/representation.ts';
import { maxAffectedNeedsSet, mediaTypeNotAvailable, methodNotForFunctions, tooManyAffected } from './errors.ts';
import { parsePreferences } from './grammar/parse-preferences.ts';
import { parseQuery } from './grammar/parse-query.ts';
import { type Parameter, splitQueryString } from './grammar/split-query-string.ts';
import type { GuardedCall } from './guarded-functions.ts';
import { onlyRow } from './only-row.ts';
import { argumentsInBody, argumentsInQuery } from './read-arguments.ts';
import { asArgument } from './request-body.ts';
import type { RestContext, RestRequest } from './rest-request.ts';
import { explainStatement, runStatement, type Serving } from './run-statement.ts';
import type { Columns } from './schema-cache/schema.ts';
import type { StatementAnswer } from './sql/answer-sql.ts';
import { type CallPlan, planCall } from './sql/call-plan.ts';
import { callRowsStatement } from './sql/call-rows-statement.ts';
import { asPlainRows, planRead } from './sql/plan-read.ts';

/** A call as it is about to be made. */
interface Call extends Serving {
  readonly plan: CallPlan;
  readonly values: readonly unknown[];
  /** The parameters that shape the rows of its result. */
  readonly shaping: readonly Parameter[];
  /** Neither reads the request's settings nor writes the answer's, so that a visitor's call needs no transaction. */
  readonly keepsToItself: boolean;
}

/** `/rest/v1/rpc/{function}`: by POST with a JSON object of arguments, by GET with the arguments as parameters. */
export async function serveFunction(context: RestContext, request: RestRequest): Promise<Answer> {
  const { method, name } = request;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw methodNotForFunctions(method);
  const parameters = splitQueryString(request.queryString);
  const inBody = method === 'POST';
  const { given, body, shaping } = inBody
    ? { ...(await argumentsInBody(request.raw, context.schema, name)), shaping: parameters }
    : { ...argumentsInQuery(context.schema, name, parameters), body: null };
  const plan = planCall(context.schema, { name, given: [...given.keys()], inBody, role: request.caller.role });
  const { takesBody } = plan.called;
  const values = plan.given.map((argument) => asArgument(takesBody ? body : given.get(argument.name), argument));
  const preferences = parsePreferences(request.prefer, context.settings);
  const representation = chooseRepresentation(request.accept, context.settings);
  const guard = context.guards.get(name);
  const keepsToItself = guard?.keepsToItself === true;
  const call: Call = { context, request, preferences, representation, plan, values, shaping, keepsToItself };

  if (guard === undefined || request.caller.role === 'service_role') return answerCall(call);
  // What is counted is what the function itself said, so it is answered as such: not as CSV, nor as chosen rows.
  if (guard.after !== undefined && !isPlain(representation)) throw mediaTypeNotAvailable(request.accept ?? '');
  const guarded: GuardedCall = {
    clientAddress: request.clientAddress,
    account: accountOf(request.caller),
    argument: (argument) => String(values[plan.given.findIndex((known) => known.name === argument)] ?? ''),
  };
  const waiting = guard.before?.(guarded);
  if (waiting !== undefined) await waiting;
  const instead = guard.instead?.();
  if (instead !== undefined) return { status: 200, body: instead, contentType: representation.contentType };
  let answer: Answer;
  try {
    answer = await answerCall(call);
  } catch (error) {
    const code = asPostgresError(error)?.code;
    if (code !== undefined) await guard.failed?.(guarded, code);
    throw error;
  }
  const looking = answer.body === null ? undefined : guard.after?.(guarded, answer.body);
  if (looking !== undefined) await looking;
  return answer;
}

function accountOf({ claims }: Caller): string | null {
  const unfinished = claims.unfinished_sign_in;
  const { sub } = typeof unfinished === 'object' && unfinished !== null && 'sub' in unfinished ? unfinished : claims;
  return typeof sub === 'string' ? sub : null;
}

function answerCall(call: Call): Promise<Answer> {
  const { plan, preferences, representation } = call;
  const { result } = plan.called;
  const set = result.kind !== 'void' && result.set;
  if (preferences.maxAffected !== null && !set) throw maxAffectedNeedsSet();
  if (result.kind === 'void' || (result.kind === 'scalar' && !set && isPlain(representation))) return answerValue(call);
  return answerRows(call, result.rows, set);
}

/** The value as JSON, as PostgreSQL gives it. */
function isPlain({ plan, form }: Representation): boolean {
  return plan === null && form.kind === 'rows' && !form.stripNulls;
}

/** One value, or none. */
async function answerValue(call: Call): Promise<Answer> {
  const { context, request, preferences, representation, plan, values, keepsToItself } = call;
  const { readsOnly, result } = plan.called;
  const headers = appliedPreferences(preferences, ['handling', 'transaction', 'timeZone']);
  const { contentType } = representation;
  // A visitor's call of a function that cannot write is one statement on connections that are a visitor's already.
  if (keepsToItself && readsOnly && request.caller === VISITOR) {
    const statement = { ...plan.shortStatement, values };
    const { rows } = await context.database.readAsVisitor<{ body: string | null }>(statement);
    return { status: 200, body: onlyRow(rows).body ?? 'null', contentType, headers };
  }
  const statement = { ...plan.statement, values };
  if (representation.plan !== null) return explainStatement(call, statement, representation.plan, readsOnly);
  const answer = await runStatement(call, statement, { readOnly: readsOnly || request.method !== 'POST' });
  if (result.kind === 'void' || minimal(call)) return withResponseSettings(noContent(call), answer);
  return withResponseSettings({ status: 200, body: answer.body ?? 'null', contentType, headers }, answer);
}

/** A result with columns, or a set of values: it can be chosen from, filtered, sorted and paged as a table is. */
async function answerRows(call: Call, rows: Columns, set: boolean): Promise<Answer> {
  const { context, request, preferences, representation, plan, values, shaping } = call;
  const { method, caller } = request;
  const query = parseQuery(shaping);
  const node = planRead(asPlainRows(rows), query, { schema: context.schema.name, role: caller.role });
  const { statement, fields } = callRowsStatement(plan, values, node, context.settings, {
    count: preferences.count !== null,
    form: method === 'HEAD' ? null : representation.form,
  });
  const readOnly = plan.called.readsOnly || method !== 'POST';
  if (representation.plan !== null) return explainStatement(call, statement, representation.plan, readOnly);
  // One row is wanted where the function gives one, and where the caller says so.
  const single = representation.single || !set;
  // What a refused answer has changed is undone with it.
  const check = ({ affected }: StatementAnswer): void => {
    const most = preferences.maxAffected;
    if (most !== null && affected > most) throw tooManyAffected(affected);
    requireSingle(affected, single);
  };
  const answer = await runStatement(call, statement, { readOnly, check });
  if (minimal(call)) return withResponseSettings(noContent(call), answer);
  const { body, affected, total } = answer;
  return withResponseSettings(
    {
      status: single ? 200 : pageStatus(query.offset, affected, total),
      body: represent(body, fields, representation, single),
      contentType: representation.contentType,
      headers: {
        ...(set ? { 'Content-Range': contentRange(query.offset, affected, total) } : {}),
        ...appliedPreferences(preferences, ['count', 'handling', 'maxAffected', 'transaction', 'timeZone']),
      },
    },
    answer,
  );
}

function minimal({ request: { method }, preferences: { returning } }: Call): boolean {
  return method === 'POST' && returning === 'minimal';
}

function noContent({ preferences }: Call): Answer {
  const headers = appliedPreferences(preferences, ['returning', 'handling', 'transaction', 'timeZone']);
  return { status: 204, body: null, contentType: '', headers };
}
