import { type Answer, appliedPreferences, represent, requireSingle, withResponseSettings } from './answers/answer.ts';
import { contentRange } from './answers/content-range.ts';
import { featureNotServed, invalidBody, limitWithoutOrder, tooManyAffected, tooManyRows } from './errors.ts';
import type { Preferences } from './grammar/parse-preferences.ts';
import type { Query } from './grammar/tree.ts';
import { asRow, readJsonBody, requireTexts } from './request-body.ts';
import { beginWriting, explainStatement, type RelationServing, runStatement } from './run-statement.ts';
import type { Relation } from './schema-cache/schema.ts';
import type { StatementAnswer } from './sql/answer-sql.ts';
import {
  type ChangeStatement,
  deleteStatement,
  insertStatement,
  type Returning,
  updateStatement,
} from './sql/change-statements.ts';
import { asPlainRows, planRead } from './sql/plan-read.ts';
import { isPage } from './sql/read-node.ts';
import type { Writing } from './sql/rows-sql.ts';

/** What differs between the answers of the three. */
interface ChangeAnswer {
  readonly status: number;
  readonly honoured: readonly (keyof Preferences)[];
  /** The rows that it met stand in `Content-Range`. */
  readonly ranged: boolean;
  /** How many rows were given. */
  readonly rows?: number;
}

const HONOURED = ['returning', 'count', 'handling', 'maxAffected', 'transaction', 'timeZone'] as const;
/** Nothing to do is no statement. */
const NOTHING: StatementAnswer = {
  body: '[]',
  affected: 0,
  total: null,
  response_status: null,
  response_headers: null,
};

/** Inserts, updates or deletes rows of a table. */
export function changeRelation(serving: RelationServing, method: 'POST' | 'PATCH' | 'DELETE'): Promise<Answer> {
  if (method === 'POST') return insert(serving);
  return method === 'PATCH' ? update(serving) : remove(serving);
}

async function insert(serving: RelationServing): Promise<Answer> {
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
  const honoured = [...HONOURED, 'missing', 'resolution'] as const;
  // One without columns would insert a row of defaults.
  const rows = given.length;
  return change(serving, rows === 0 ? null : statement, { status: 201, honoured, ranged: false, rows });
}

async function update(serving: RelationServing): Promise<Answer> {
  const { context, request, relation, query, preferences } = serving;
  const { text, value } = await readJsonBody(request.raw);
  const row = asRow(value);
  requireTexts([row], (name) => relation.columns.get(name)?.isText);
  const columns = query.columns ?? Object.keys(row);
  const answer = { status: statusOf(preferences), honoured: HONOURED, ranged: true };
  if (columns.length === 0) return change(serving, null, answer);
  const where = whereOf(serving);
  const writing: Writing = beginWriting(context);
  return change(
    serving,
    updateStatement(relation, where, { body: text, columns }, returningOf(serving), writing),
    answer,
  );
}

async function remove(serving: RelationServing): Promise<Answer> {
  const { context, relation, preferences } = serving;
  const statement = deleteStatement(relation, whereOf(serving), returningOf(serving), beginWriting(context));
  return change(serving, statement, { status: statusOf(preferences), honoured: HONOURED, ranged: false });
}

/**
 * Which rows are changed: what is embedded belongs to the answer, and chooses none of them. With a limit it is the first
 * ones in the order that is asked for, and of equals those with the lower key, so that it is never open which are meant.
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
  // The page of an update or a delete is what it has changed.
  const answered: Query = { ...query, conditions: [], ...(request.method === 'POST' ? undefined : WHOLE) };
  const asked = { schema: context.schema.name, role: request.caller.role };
  return { kind: 'rows', node: planRead(asPlainRows(relation), answered, asked), form: representation.form };
}

function statusOf({ returning }: Preferences): number {
  return returning === 'representation' ? 200 : 204;
}

const WHOLE: Pick<Query, 'limit' | 'offset'> = { limit: null, offset: 0 };

/** Every object of an array names the same columns; without that, PGRST102 (`columns=` says it for all of them). */
function keysOfAll(rows: readonly Record<string, unknown>[]): readonly string[] {
  const [first = {}] = rows;
  const keys = Object.keys(first);
  for (const row of rows) {
    const same = Object.keys(row).length === keys.length && keys.every((key) => Object.hasOwn(row, key));
    if (!same) throw invalidBody('All object keys must match');
  }
  return keys;
}

/** Makes the change as the caller. What depends on how many rows it met is checked before it is committed. */
async function change(
  serving: RelationServing,
  statement: ChangeStatement | null,
  { status, honoured, ranged, rows = 1 }: ChangeAnswer,
): Promise<Answer> {
  const { relation, preferences, representation } = serving;
  if (statement !== null && representation.plan !== null) {
    return explainStatement(serving, statement.statement, representation.plan, false);
  }
  const { maxAffected, returning } = preferences;
  const single = representation.single && returning === 'representation';
  const check = ({ affected }: StatementAnswer) => {
    if (maxAffected !== null && affected > maxAffected) throw tooManyAffected(affected);
    requireSingle(affected, single);
  };
  const answer =
    statement === null
      ? NOTHING
      : await runStatement(serving, statement.statement, {
          readOnly: false,
          rows,
          check: maxAffected !== null || single ? check : undefined,
        });
  const { affected, body, updated } = answer;
  const total = preferences.count === null ? null : affected;
  const shown = returning === 'representation';
  return withResponseSettings(
    {
      // An upsert that found every row there made none.
      status: shown && affected > 0 && Number(updated ?? 0) === affected ? 200 : status,
      body: shown ? represent(body, statement?.fields ?? [], representation, single) : null,
      contentType: shown ? representation.contentType : '',
      headers: {
        'Content-Range': contentRange(0, ranged ? affected : 0, total),
        ...(returning === 'headers-only' ? locationOf(relation.name, statement?.fields ?? [], body) : undefined),
        ...appliedPreferences(preferences, honoured),
      },
    },
    answer,
  );
}

/** Where the one inserted row can be read: `/items?id=eq.1`. */
function locationOf(relation: string, key: readonly string[], body: string | null): Record<string, string> | undefined {
  if (body === null || key.length === 0) return undefined;
  // What the statement made: the key's values as texts.
  const values = JSON.parse(body) as string[];
  const tests = key.map((name, index) => `${encodeURIComponent(name)}=eq.${encodeURIComponent(values[index] ?? '')}`);
  return { Location: `/${encodeURIComponent(relation)}?${tests.join('&')}` };
}
