import type { Statement } from '#server/postgres/statement.ts';
import { type Answer, appliedPreferences, represent } from './answers/answer.ts';
import { contentRange, pageStatus } from './answers/content-range.ts';
import { chooseRepresentation, type Representation } from './answers/representation.ts';
import { callOptions } from './call-options.ts';
import { invalidBody, methodNotForTables, notServed, tableNotFound, tooManyAffected } from './errors.ts';
import { type Preferences, parsePreferences } from './grammar/parse-preferences.ts';
import { parseQuery } from './grammar/parse-query.ts';
import { splitQueryString } from './grammar/split-query-string.ts';
import type { Query } from './grammar/tree.ts';
import { onlyRow } from './only-row.ts';
import { refuseRelationParameters } from './refuse-relation-parameters.ts';
import { asRow, readJsonBody, requireTexts } from './request-body.ts';
import type { RestContext, RestRequest } from './rest-request.ts';
import type { Relation } from './schema-cache/schema.ts';
import {
  deleteStatement,
  insertStatement,
  type RowsAnswer,
  refuseLimitedChange,
  selectStatement,
  updateStatement,
} from './sql/relation-statements.ts';

interface Serving {
  readonly context: RestContext;
  readonly request: RestRequest;
  readonly relation: Relation;
  readonly query: Query;
  readonly preferences: Preferences;
  readonly representation: Representation;
}

/** `/rest/v1/{table}`. */
export async function serveRelation(context: RestContext, request: RestRequest): Promise<Answer> {
  const { schema } = context;
  const relation = schema.relations.get(request.name);
  if (relation === undefined) throw tableNotFound(schema.name, request.name);
  const query = parseQuery(splitQueryString(request.queryString));
  refuseRelationParameters(query);
  const serving: Serving = {
    context,
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

async function read({ context, request, relation, query, preferences, representation }: Serving): Promise<Answer> {
  // An estimate is there to save time on large tables; within what one caller may see, counting is as quick.
  const { caller } = request;
  const options = { count: preferences.count !== null, rows: request.method === 'GET' };
  const statement = selectStatement(relation, { source: relation.sql }, query, options);
  const named = context.names.named(caller.role, statement);
  const { rows } = await context.database.asCaller<RowsAnswer>(caller, named, callOptions(caller.role, true));
  const { body, affected, total } = onlyRow(rows);
  const status = pageStatus(query.offset, affected, total);
  return {
    status: representation.single ? 200 : status,
    body: represent(body, affected, representation),
    contentType: representation.contentType,
    headers: {
      'Content-Range': contentRange(query.offset, affected, total),
      'Content-Location': `/${encodeURIComponent(relation.name)}${request.queryString === '' ? '' : `?${request.queryString}`}`,
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
  requireTexts(given, (name) => relation.columns.get(name)?.isText);
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
  const row = asRow(value);
  requireTexts([row], (name) => relation.columns.get(name)?.isText);
  const columns = query.columns ?? Object.keys(row);
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
  { context: { database, names }, request: { caller }, preferences, representation }: Serving,
  statement: Statement,
): Promise<RowsAnswer> {
  const { maxAffected } = preferences;
  const named = names.named(caller.role, statement);
  const options = callOptions(caller.role, false);
  if (maxAffected === null && !(representation.single && wantsRows(preferences))) {
    return onlyRow((await database.asCaller<RowsAnswer>(caller, named, options)).rows);
  }
  return database.transactAsCaller(
    caller,
    async (transaction) => {
      const answer = onlyRow((await transaction.query<RowsAnswer>(named)).rows);
      if (maxAffected !== null && answer.affected > maxAffected) throw tooManyAffected(answer.affected);
      represent(answer.body, answer.affected, representation);
      return answer;
    },
    options,
  );
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
    contentType: body === null ? '' : representation.contentType,
    headers: {
      'Content-Range': contentRange(query.offset, ranged ? affected : 0, total),
      ...appliedPreferences(preferences, honoured),
    },
  };
}
