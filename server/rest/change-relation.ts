import { featureNotServed, invalidBody, limitWithoutOrder, tooManyAffected, tooManyRows } from './errors.ts';
import type { Preferences } from './grammar/parse-preferences.ts';
import type { Query } from './grammar/tree.ts';
import { asRow, readJsonBody, requireTexts } from './request-body.ts';
import { contentRange } from './responses/content-range.ts';
import {
  appliedPreferences,
  type RestResponse,
  represent,
  requireSingle,
  withResponseSettings,
} from './responses/respond.ts';
import { beginWriting, explainStatement, type RelationServing, runStatement } from './run-statement.ts';
import type { Relation } from './schema-cache/schema.ts';
import {
  type ChangeStatement,
  deleteStatement,
  insertStatement,
  type Returning,
  updateStatement,
} from './sql/change-statements.ts';
import { asCopiedRows, planRead } from './sql/plan-read.ts';
import { isPage } from './sql/read-node.ts';
import type { StatementResponse } from './sql/response-sql.ts';
import type { Writing } from './sql/rows-sql.ts';

/** What differs between the responses to the three methods. */
interface ChangeResponse {
  readonly status: number;
  readonly honored: readonly (keyof Preferences)[];
  /** Whether `Content-Range` gives the affected rows. */
  readonly ranged: boolean;
}

const HONORED = ['returning', 'count', 'handling', 'maxAffected', 'transaction', 'timeZone'] as const;
/** The result of a change of no rows, which needs no statement. */
const NOTHING: StatementResponse = {
  body: '[]',
  affected: 0,
  total: null,
  response_status: null,
  response_headers: null,
};

/** Inserts, updates or deletes rows of a table. */
export function changeRelation(serving: RelationServing, method: 'POST' | 'PATCH' | 'DELETE'): Promise<RestResponse> {
  if (method === 'POST') return insert(serving);
  return method === 'PATCH' ? update(serving) : remove(serving);
}

async function insert(serving: RelationServing): Promise<RestResponse> {
  const { context, request, relation, query, preferences } = serving;
  const { text, value } = await readJsonBody(request.raw);
  const isArray = Array.isArray(value);
  const given = isArray ? value.map(asRow) : [asRow(value)];
  const { mostRows } = context.settings;
  if (given.length > mostRows && request.caller.role !== 'service_role') throw tooManyRows(mostRows);
  requireTexts(given, (name) => relation.columns.get(name)?.isText);
  const insertion = {
    body: text,
    isArray,
    columns: query.columns ?? keysOfAll(given),
    missingIsDefault: preferences.missing === 'default',
    resolution: preferences.resolution,
    onConflict: query.onConflict,
  };
  const statement = insertStatement(relation, insertion, returningOf(serving), beginWriting(context));
  const honored = [...HONORED, 'missing', 'resolution'] as const;
  // An insert without columns would insert a row of defaults.
  return change(serving, given.length === 0 ? null : statement, { status: 201, honored, ranged: false });
}

async function update(serving: RelationServing): Promise<RestResponse> {
  const { context, request, relation, query, preferences } = serving;
  const { text, value } = await readJsonBody(request.raw);
  const row = asRow(value);
  requireTexts([row], (name) => relation.columns.get(name)?.isText);
  const columns = query.columns ?? Object.keys(row);
  const response = { status: statusOf(preferences), honored: HONORED, ranged: true };
  if (columns.length === 0) return change(serving, null, response);
  const where = whereOf(serving);
  const writing: Writing = beginWriting(context);
  return change(
    serving,
    updateStatement(relation, where, { body: text, columns }, returningOf(serving), writing),
    response,
  );
}

async function remove(serving: RelationServing): Promise<RestResponse> {
  const { context, relation, preferences } = serving;
  const statement = deleteStatement(relation, whereOf(serving), returningOf(serving), beginWriting(context));
  return change(serving, statement, { status: statusOf(preferences), honored: HONORED, ranged: false });
}

/**
 * Selects the rows to change. Embedded relations belong to the response and select none of them. With a limit, the rows
 * are the first in the requested order with the primary key as a tiebreaker, so the selection is deterministic.
 */
function whereOf({ context, request, relation, query }: RelationServing) {
  const chosen: Query = {
    ...query,
    select: [],
    embedded: [],
    ...(isPage(query) ? firstOf(relation, query) : ANY_ORDER),
  };
  return planRead(relation, chosen, { schema: context.schema.name, role: request.caller.role });
}

const ANY_ORDER: Pick<Query, 'order'> = { order: [] };

function firstOf({ name, primaryKey }: Relation, { order }: Query): Pick<Query, 'select' | 'order'> {
  if (order.length === 0) throw limitWithoutOrder();
  if (primaryKey.length === 0) throw featureNotServed(`'${name}' has no primary key by which to limit a change.`);
  const key = primaryKey.map((column) => ({ path: { column, steps: [] } }));
  return {
    select: key.map(({ path }) => ({ kind: 'field', path, alias: null, cast: null, aggregate: null })),
    order: [...order, ...key.map(({ path }) => ({ relation: null, path, descending: false, nulls: null }))],
  };
}

function returningOf({ context, request, relation, query, preferences, representation }: RelationServing): Returning {
  if (preferences.returning === 'headers-only') return { kind: 'key' };
  if (preferences.returning !== 'representation') return { kind: 'nothing' };
  // The page of an update or a delete is exactly the rows it changed.
  const shaped: Query = { ...query, conditions: [], ...(request.method === 'POST' ? undefined : WHOLE) };
  const asked = { schema: context.schema.name, role: request.caller.role };
  return { kind: 'rows', node: planRead(asCopiedRows(relation), shaped, asked), form: representation.form };
}

function statusOf({ returning }: Preferences): number {
  return returning === 'representation' ? 200 : 204;
}

const WHOLE: Pick<Query, 'limit' | 'offset'> = { limit: null, offset: 0 };

/**
 * Requires that all objects of an array have the same keys; throws PGRST102 otherwise. With `columns=` the check is not
 * needed.
 */
function keysOfAll(rows: readonly Record<string, unknown>[]): readonly string[] {
  const [first = {}] = rows;
  const keys = Object.keys(first);
  for (const row of rows) {
    const same = Object.keys(row).length === keys.length && keys.every((key) => Object.hasOwn(row, key));
    if (!same) throw invalidBody('All object keys must match');
  }
  return keys;
}

/** Makes the change as the caller. Conditions on the number of affected rows are checked before the commit. */
async function change(
  serving: RelationServing,
  statement: ChangeStatement | null,
  { status, honored, ranged }: ChangeResponse,
): Promise<RestResponse> {
  const { relation, preferences, representation } = serving;
  if (statement !== null && representation.plan !== null) {
    return explainStatement(serving, statement.statement, representation.plan, false);
  }
  const { maxAffected, returning } = preferences;
  const single = representation.single && returning === 'representation';
  const check = ({ affected }: StatementResponse) => {
    if (maxAffected !== null && affected > maxAffected) throw tooManyAffected(affected);
    requireSingle(affected, single);
  };
  const response =
    statement === null
      ? NOTHING
      : await runStatement(serving, statement.statement, {
          readOnly: false,
          check: maxAffected !== null || single ? check : undefined,
        });
  const { affected, body, updated } = response;
  const total = preferences.count === null ? null : affected;
  const shown = returning === 'representation';
  return withResponseSettings(
    {
      // An upsert that only updated rows responds with 200.
      status: shown && affected > 0 && Number(updated ?? 0) === affected ? 200 : status,
      body: shown ? represent(body, statement?.fields ?? [], representation, single) : null,
      contentType: shown ? representation.contentType : '',
      headers: {
        'Content-Range': contentRange(0, ranged ? affected : 0, total),
        ...(returning === 'headers-only' ? locationOf(relation.name, statement?.fields ?? [], body) : undefined),
        ...appliedPreferences(preferences, honored),
      },
    },
    response,
  );
}

/** Returns the URL of the one inserted row: `/items?id=eq.1`. */
function locationOf(relation: string, key: readonly string[], body: string | null): Record<string, string> | undefined {
  if (body === null || key.length === 0) return undefined;
  // The statement returns the key's values as text.
  const values = JSON.parse(body) as string[];
  const tests = key.map((name, index) => `${encodeURIComponent(name)}=eq.${encodeURIComponent(values[index] ?? '')}`);
  return { Location: `/${encodeURIComponent(relation)}?${tests.join('&')}` };
}
