import type { Caller } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Statement } from '#server/postgres/statement.ts';
import { type Answer, appliedPreferences, represent } from './answers/answer.ts';
import { contentRange, pageStatus } from './answers/content-range.ts';
import { chooseRepresentation, type Representation } from './answers/representation.ts';
import { invalidBody, methodNotForTables, notEmbedded, notServed, tableNotFound, tooManyAffected } from './errors.ts';
import { type Preferences, parsePreferences } from './grammar/parse-preferences.ts';
import { parseQuery } from './grammar/parse-query.ts';
import { splitQueryString } from './grammar/split-query-string.ts';
import type { Query } from './grammar/tree.ts';
import { asRow, readJsonBody } from './request-body.ts';
import type { Relation, Schema } from './schema-cache/schema.ts';
import {
  deleteStatement,
  insertStatement,
  type RowsAnswer,
  refuseLimitedChange,
  selectStatement,
  updateStatement,
} from './sql/relation-statements.ts';

export interface RestRequest {
  readonly method: string;
  /** The last step of the path: a table, a view or a function. */
  readonly name: string;
  /** What follows the question mark, as it was sent. */
  readonly queryString: string;
  readonly accept: string | undefined;
  readonly prefer: string | undefined;
  readonly raw: Request;
  readonly caller: Caller;
  readonly clientAddress: string;
}

interface Serving {
  readonly database: Database;
  readonly request: RestRequest;
  readonly relation: Relation;
  readonly query: Query;
  readonly preferences: Preferences;
  readonly representation: Representation;
}

/** `/rest/v1/{table}`. */
export async function serveRelation(database: Database, schema: Schema, request: RestRequest): Promise<Answer> {
  const relation = schema.relations.get(request.name);
  if (relation === undefined) throw tableNotFound(schema.name, request.name);
  const query = parseQuery(splitQueryString(request.queryString));
  const [embedded] = query.relationParameters;
  if (embedded !== undefined) throw notEmbedded(embedded);
  const serving: Serving = {
    database,
    request,
    relation,
    query,
    preferences: parsePreferences(request.prefer),
    representation: chooseRepresentation(request.accept),
  };
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return read(serving);
    case 'POST':
      return insert(serving);
    case 'PATCH':
      return update(serving);
    case 'DELETE':
      return remove(serving);
    default:
      throw methodNotForTables(request.method);
  }
}

async function read({ database, request, relation, query, preferences, representation }: Serving): Promise<Answer> {
  // An estimate is there to save time on large tables; within what one caller may see, counting is as quick.
  const statement = selectStatement(relation, query, {
    count: preferences.count !== null,
    rows: request.method === 'GET',
  });
  const { rows } = await database.asCaller<RowsAnswer>(request.caller, statement, { readOnly: true });
  const { body, affected, total } = onlyRow(rows);
  const status = pageStatus(query.offset, affected, total);
  return {
    status: representation.single ? 200 : status,
    body: represent(body, affected, representation),
    contentType: representation.contentType,
    headers: {
      'Content-Range': contentRange(query.offset, affected, total),
      ...appliedPreferences(preferences, ['count', 'handling']),
    },
  };
}

async function insert(serving: Serving): Promise<Answer> {
  const { request, relation, query, preferences } = serving;
  if (preferences.resolution !== null || query.onConflict !== null) {
    throw notServed('This server does not upsert yet; insert, and update what is there.');
  }
  const { text, value } = await readJsonBody(request.raw);
  const isArray = Array.isArray(value);
  const given = isArray ? value.map(asRow) : [asRow(value)];
  const columns = query.columns ?? keysOfAll(given);
  const statement = insertStatement(relation, {
    body: text,
    isArray,
    columns,
    missingIsDefault: preferences.missing === 'default',
    returning: wantsRows(preferences) ? query.select : null,
  });
  // Nothing to insert is no statement: one without columns would insert a row of defaults.
  const answer = given.length === 0 ? nothing(preferences) : await change(serving, statement);
  return changed(serving, answer, {
    status: 201,
    honoured: ['returning', 'count', 'missing', 'handling', 'maxAffected'],
    ranged: false,
  });
}

async function update(serving: Serving): Promise<Answer> {
  const { request, relation, query, preferences } = serving;
  refuseLimitedChange(query);
  const { text, value } = await readJsonBody(request.raw);
  const columns = query.columns ?? Object.keys(asRow(value));
  const returning = wantsRows(preferences) ? query.select : null;
  const answer =
    columns.length === 0
      ? nothing(preferences)
      : await change(serving, updateStatement(relation, { query, returning, body: text, columns }));
  return changed(serving, answer, { status: returning === null ? 204 : 200, honoured: HONOURED, ranged: true });
}

async function remove(serving: Serving): Promise<Answer> {
  const { relation, query, preferences } = serving;
  refuseLimitedChange(query);
  const returning = wantsRows(preferences) ? query.select : null;
  const answer = await change(serving, deleteStatement(relation, { query, returning }));
  return changed(serving, answer, { status: returning === null ? 204 : 200, honoured: HONOURED, ranged: false });
}

const HONOURED = ['returning', 'count', 'handling', 'maxAffected'] as const;

function wantsRows(preferences: Preferences): boolean {
  return preferences.returning === 'representation';
}

function nothing(preferences: Preferences): RowsAnswer {
  return { body: wantsRows(preferences) ? '[]' : null, affected: 0, total: null };
}

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
  { database, request, preferences, representation }: Serving,
  statement: Statement,
): Promise<RowsAnswer> {
  const { maxAffected } = preferences;
  if (maxAffected === null && !(representation.single && wantsRows(preferences))) {
    return onlyRow((await database.asCaller<RowsAnswer>(request.caller, statement)).rows);
  }
  return database.transactAsCaller(request.caller, async (transaction) => {
    const answer = onlyRow((await transaction.query<RowsAnswer>(statement)).rows);
    if (maxAffected !== null && answer.affected > maxAffected) throw tooManyAffected(answer.affected);
    represent(answer.body, answer.affected, representation);
    return answer;
  });
}

function changed(
  { query, preferences, representation }: Serving,
  { body, affected }: RowsAnswer,
  { status, honoured, ranged }: { status: number; honoured: readonly (keyof Preferences)[]; ranged: boolean },
): Answer {
  const total = preferences.count === null ? null : affected;
  return {
    status,
    body: body === null ? null : represent(body, affected, representation),
    contentType: representation.contentType,
    headers: {
      'Content-Range': contentRange(query.offset, ranged ? affected : 0, total),
      ...appliedPreferences(preferences, honoured),
    },
  };
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('A statement that always answers one row answered none.');
  return row;
}
