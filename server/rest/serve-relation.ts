import { changeRelation } from './change-relation.ts';
import { closestName } from './closest-name.ts';
import { methodNotForTables, tableNotFound } from './errors.ts';
import { parsePreferences } from './grammar/parse-preferences.ts';
import { parseQuery } from './grammar/parse-query.ts';
import { splitQueryString } from './grammar/split-query-string.ts';
import { contentRange, pageStatus } from './responses/content-range.ts';
import { chooseRepresentation } from './responses/representation.ts';
import {
  appliedPreferences,
  type RestResponse,
  represent,
  requireSingle,
  withResponseSettings,
} from './responses/respond.ts';
import type { RestContext, RestRequest } from './rest-request.ts';
import { beginWriting, explainStatement, type RelationServing, runStatement } from './run-statement.ts';
import { isKnown } from './schema-cache/known-names.ts';
import { planRead } from './sql/plan-read.ts';
import { readStatement } from './sql/read-statement.ts';

/** `/rest/v1/{table}`. */
export async function serveRelation(context: RestContext, request: RestRequest): Promise<RestResponse> {
  const { schema, settings } = context;
  const relation = schema.relations.get(request.name);
  if (relation === undefined) {
    const known = [...schema.relations.values()].filter((one) => isKnown(one, request.caller.role));
    const meant = closestName(
      request.name,
      known.map(({ name }) => name),
    );
    throw tableNotFound(schema.name, request.name, meant);
  }
  const serving: RelationServing = {
    context,
    request,
    relation,
    query: parseQuery(splitQueryString(request.queryString)),
    preferences: parsePreferences(request.prefer),
    representation: chooseRepresentation(request.accept, settings),
  };
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return read(serving);
    case 'POST':
    case 'PATCH':
    case 'DELETE':
      return changeRelation(serving, request.method);
    default:
      throw methodNotForTables(request.method);
  }
}

async function read(serving: RelationServing): Promise<RestResponse> {
  const { context, request, relation, query, preferences, representation } = serving;
  const node = planRead(relation, query, { schema: context.schema.name, role: request.caller.role });
  // Every requested count is exact: the planner's estimates include rows that the caller may not see.
  const { statement, fields } = readStatement(
    node,
    beginWriting(context),
    { source: relation.sql },
    { count: preferences.count !== null, form: request.method === 'HEAD' ? null : representation.form },
  );
  if (representation.plan !== null) return explainStatement(serving, statement, representation.plan, true);
  const response = await runStatement(serving, statement, { readOnly: true });
  const { body, affected, total } = response;
  const status = pageStatus(query.offset, affected, total);
  requireSingle(affected, representation.single);
  return withResponseSettings(
    {
      status: representation.single ? 200 : status,
      body: represent(body, fields, representation, representation.single),
      contentType: representation.contentType,
      headers: {
        'Content-Range': contentRange(query.offset, affected, total),
        'Content-Location': `/${encodeURIComponent(relation.name)}${request.queryString === '' ? '' : `?${request.queryString}`}`,
        ...appliedPreferences(preferences, ['count', 'handling', 'transaction', 'timeZone']),
      },
    },
    response,
  );
}
