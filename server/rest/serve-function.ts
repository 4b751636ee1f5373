import { isUuid } from '#server/is-uuid.ts';
import { type Caller, VISITOR } from '#server/postgres/caller.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import { countLookUps } from './count-look-ups.ts';
import { maxAffectedNeedsSet, mediaTypeNotAvailable, methodNotForFunctions, tooManyAffected } from './errors.ts';
import { parsePreferences } from './grammar/parse-preferences.ts';
import { parseQuery } from './grammar/parse-query.ts';
import { type Parameter, splitQueryString } from './grammar/split-query-string.ts';
import type { GuardedCall } from './guard.ts';
import { onlyRow } from './only-row.ts';
import { argumentsInBody, argumentsInQuery } from './read-arguments.ts';
import { asArgument } from './request-body.ts';
import { contentRange, pageStatus } from './responses/content-range.ts';
import { chooseRepresentation, type Representation } from './responses/representation.ts';
import {
  appliedPreferences,
  type RestResponse,
  represent,
  requireSingle,
  withResponseSettings,
} from './responses/respond.ts';
import type { RestContext, RestRequest } from './rest-request.ts';
import { explainStatement, runStatement, type Serving } from './run-statement.ts';
import type { Columns } from './schema-cache/schema.ts';
import { type CallPlan, planCall } from './sql/call-plan.ts';
import { callRowsStatement } from './sql/call-rows-statement.ts';
import { asCopiedRows, planRead } from './sql/plan-read.ts';
import type { StatementResponse } from './sql/response-sql.ts';

/** A call that is ready to run. */
interface Call extends Serving {
  readonly plan: CallPlan;
  readonly values: readonly unknown[];
  /** The parameters that shape its result. */
  readonly shaping: readonly Parameter[];
  /**
   * The function neither reads the request's settings nor sets the response's, so a visitor's call needs no
   * transaction.
   */
  readonly keepsToItself: boolean;
}

/** `/rest/v1/rpc/{function}`: POST with a JSON object of arguments, or GET with arguments as parameters. */
export async function serveFunction(context: RestContext, request: RestRequest): Promise<RestResponse> {
  const { method, name } = request;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw methodNotForFunctions(method);
  const parameters = splitQueryString(request.queryString);
  const { given, body, shaping } =
    method === 'POST'
      ? { ...(await argumentsInBody(request.raw, context.schema, name)), shaping: parameters }
      : { ...argumentsInQuery(context.schema, name, parameters), body: null };
  const plan = planCall(context.schema, {
    name,
    given: given && [...given.keys()],
    body: body?.kind ?? null,
    role: request.caller.role,
  });
  const { takesBody } = plan.called;
  const known = context.guards.get(name);
  const guard = request.caller.role === 'service_role' && known?.isForService !== true ? undefined : known;
  const values = plan.given.map((argument) => {
    if (takesBody !== null && takesBody !== 'json') return body?.whole;
    const value = asArgument(takesBody === 'json' ? body?.value : given?.get(argument.name), argument);
    const normalize = guard?.normalized?.[argument.name];
    return normalize !== undefined && typeof value === 'string' ? normalize(value) : value;
  });
  const preferences = parsePreferences(request.prefer);
  const representation = chooseRepresentation(request.accept, context.settings);
  const keepsToItself = guard?.keepsToItself === true;
  const call: Call = { context, request, preferences, representation, plan, values, shaping, keepsToItself };

  if (guard === undefined) return respondToCall(call);
  // The guard reads the function's own value, so only the plain JSON form is allowed: not CSV, nor selected rows.
  if (guard.complete !== undefined && !isPlain(representation)) throw mediaTypeNotAvailable(request.accept ?? '');
  const guarded: GuardedCall = {
    clientAddress: request.clientAddress,
    ...accountOf(request.caller),
    role: request.caller.role,
    argument: (argument) => String(values[plan.given.findIndex((known) => known.name === argument)] ?? ''),
  };
  const waiting = guard.before?.(guarded);
  if (waiting !== undefined) await waiting;
  const instead = guard.instead?.();
  if (instead !== undefined) return { status: 200, body: instead, contentType: representation.contentType };
  let response: RestResponse;
  try {
    response = await respondToCall(call);
  } catch (error) {
    await guard.failed?.(guarded, asPostgresError(error)?.code ?? null);
    throw error;
  }
  if (guard.succeeded !== undefined) await guard.succeeded(guarded);
  if (guard.complete === undefined || response.body === null) return response;
  return { ...response, body: await guard.complete(response.body) };
}

/** Returns the account, also of a sign-in that waits for a second factor. */
function accountOf({ claims }: Caller): Pick<GuardedCall, 'account' | 'session'> {
  const unfinished = claims.unfinished_sign_in;
  const named: Readonly<Record<string, unknown>> =
    typeof unfinished === 'object' && unfinished !== null ? { ...unfinished } : claims;
  const { sub, session_id: session } = named;
  return {
    account: typeof sub === 'string' ? sub : null,
    session: typeof session === 'string' && isUuid(session) ? session : null,
  };
}

function respondToCall(call: Call): Promise<RestResponse> {
  const { plan, preferences, representation } = call;
  const { result } = plan.called;
  const set = result.kind !== 'void' && result.set;
  if (preferences.maxAffected !== null && !set) throw maxAffectedNeedsSet();
  if (result.kind === 'void' || (result.kind === 'scalar' && !set && isPlain(representation)))
    return respondWithValue(call);
  return respondWithRows(call, result.rows, set);
}

/** Whether the response is the plain JSON value. */
function isPlain({ plan, form }: Representation): boolean {
  return plan === null && form.kind === 'rows' && !form.stripNulls;
}

/** Responds with a single value or none. */
async function respondWithValue(call: Call): Promise<RestResponse> {
  const { context, request, preferences, representation, plan, values, keepsToItself } = call;
  const { readsOnly, result } = plan.called;
  const headers = {
    'Content-Range': contentRange(0, 1, preferences.count === null ? null : 1),
    ...appliedPreferences(preferences, ['count', 'handling', 'transaction', 'timeZone']),
  };
  const { contentType } = representation;
  // A visitor's call of a read-only function runs as one statement, on connections that already have the visitor's
  // role.
  const isShort = keepsToItself && readsOnly && request.caller === VISITOR;
  // Without settings it would not learn that the visitor's misses are used up.
  if (isShort && context.misses.refusal(request.clientAddress) === null) {
    const statement = { ...plan.shortStatement, values };
    const { rows } = await countLookUps(context.misses, request, {
      isUndone: false,
      make: (watched) => context.database.readAsVisitor<{ body: string | null }>(watched(statement)),
    });
    return { status: 200, body: onlyRow(rows).body ?? 'null', contentType, headers };
  }
  const statement = { ...plan.statement, values };
  if (representation.plan !== null) return explainStatement(call, statement, representation.plan, readsOnly);
  const response = await runStatement(call, statement, { readOnly: readsOnly || request.method !== 'POST' });
  if (result.kind === 'void' || minimal(call)) return withResponseSettings(noContent(call), response);
  return withResponseSettings({ status: 200, body: response.body ?? 'null', contentType, headers }, response);
}

/** Responds with rows, or with a set of values, which can be selected, filtered, sorted and paged like a table. */
async function respondWithRows(call: Call, rows: Columns, set: boolean): Promise<RestResponse> {
  const { context, request, preferences, representation, plan, values, shaping } = call;
  const { method, caller } = request;
  const query = parseQuery(shaping);
  const node = planRead(asCopiedRows(rows), query, { schema: context.schema.name, role: caller.role });
  const { statement, fields } = callRowsStatement(plan, values, node, context.settings, {
    count: preferences.count !== null,
    form: method === 'HEAD' ? null : representation.form,
  });
  const readOnly = plan.called.readsOnly || method !== 'POST';
  if (representation.plan !== null) return explainStatement(call, statement, representation.plan, readOnly);
  // A function that returns one row has none where the caller's filters exclude it. The body is then null.
  const single = representation.single || !set;
  // Runs before the commit, so a refused response undoes its changes.
  const check = ({ affected }: StatementResponse): void => {
    const most = preferences.maxAffected;
    if (most !== null && affected > most) throw tooManyAffected(affected);
    requireSingle(affected, representation.single);
  };
  const response = await runStatement(call, statement, { readOnly, check });
  if (minimal(call)) return withResponseSettings(noContent(call), response);
  const { body, affected, total } = response;
  return withResponseSettings(
    {
      status: single ? 200 : pageStatus(query.offset, affected, total),
      body: represent(body, fields, representation, single),
      contentType: representation.contentType,
      headers: {
        'Content-Range': contentRange(query.offset, affected, total),
        ...appliedPreferences(preferences, ['count', 'handling', 'maxAffected', 'transaction', 'timeZone']),
      },
    },
    response,
  );
}

function minimal({ request: { method }, preferences: { returning } }: Call): boolean {
  return method === 'POST' && returning === 'minimal';
}

function noContent({ preferences }: Call): RestResponse {
  const headers = appliedPreferences(preferences, ['returning', 'handling', 'transaction', 'timeZone']);
  return { status: 204, body: null, contentType: '', headers };
}
