import { type Context, Hono } from 'hono';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { ApiRole, Caller } from '#server/postgres/caller.ts';
import type { ResolvedCaller } from '#server/tokens/resolve-caller.ts';
import { type Answer, respond } from './answers/answer.ts';
import {
  invalidPath,
  rootDisabled,
  schemaCacheUnavailable,
  schemaNotExposed,
  sessionEnded,
  tokenExpired,
  tokenRefused,
} from './errors.ts';
import { explainFailure } from './explain-failure.ts';
import { EXPOSED_SCHEMA } from './exposed-schema.ts';
import { guardedFunctions } from './guarded-functions.ts';
import type { RestContext, RestRequest } from './rest-request.ts';
import type { Schema } from './schema-cache/schema.ts';
import { SchemaCache } from './schema-cache/schema-cache.ts';
import { serveFunction } from './serve-function.ts';
import { serveRelation } from './serve-relation.ts';
import { StatementNames } from './sql/statement-names.ts';

/** `/rest/v1`: tables, views and functions of the exposed schema, each call as its caller. */
export function restRoutes(dependencies: Dependencies): Hono<AppEnv> {
  const { config, database, log, resolveCaller } = dependencies;
  const cache = new SchemaCache({ database, log, schema: EXPOSED_SCHEMA });
  const guards = guardedFunctions({ ...dependencies, hideAccountExistence: config.hideAccountExistence });
  const names = new StatementNames();
  const routes = new Hono<AppEnv>();

  let context: RestContext | undefined;
  const contextOf = (schema: Schema): RestContext => {
    if (context?.schema !== schema) context = { database, schema, names, guards };
    return context;
  };
  const loadSchema = () =>
    cache.load().catch((cause: unknown) => {
      throw schemaCacheUnavailable(cause);
    });

  /** Tells the caller, serves, and makes an answer of whatever goes wrong, in the caller's role. */
  const serve =
    (answer: (context: RestContext, request: RestRequest) => Promise<Answer>) =>
    async (c: Context<AppEnv>): Promise<Response> => {
      let role: ApiRole = 'anon';
      try {
        const authorization = c.req.header('authorization') ?? null;
        const apiKey = c.req.header('apikey') ?? null;
        const resolved = await resolveCaller(authorization, apiKey);
        if (!resolved.ok) throw refusalOf(resolved, authorization ?? apiKey ?? '');
        role = resolved.caller.role;
        const request = readRequest(c, resolved.caller);
        return respond(await answer(contextOf(cache.current ?? (await loadSchema())), request));
      } catch (error) {
        return refuse(c, error, role);
      }
    };

  routes.all('/rpc/:name', serve(serveFunction));
  routes.all('/:name', serve(serveRelation));
  routes.all('/', (c) => refuse(c, rootDisabled(), 'anon'));
  routes.all('*', (c) => refuse(c, c.req.path.endsWith('/v1/') ? rootDisabled() : invalidPath(), 'anon'));
  return routes;
}

function readRequest(c: Context<AppEnv>, caller: Caller): RestRequest {
  const { method } = c.req;
  const reads = method === 'GET' || method === 'HEAD';
  const profile = c.req.header(reads ? 'accept-profile' : 'content-profile') ?? EXPOSED_SCHEMA;
  if (profile !== EXPOSED_SCHEMA) throw schemaNotExposed(profile, EXPOSED_SCHEMA);
  const { url } = c.req.raw;
  const question = url.indexOf('?');
  return {
    method,
    name: c.req.param('name') ?? '',
    queryString: question === -1 ? '' : url.slice(question + 1),
    accept: c.req.header('accept'),
    prefer: c.req.header('prefer'),
    raw: c.req.raw,
    caller,
    clientAddress: c.get('clientAddress'),
  };
}

function refuse(c: Context<AppEnv>, error: unknown, role: ApiRole): Response {
  const refusal = explainFailure(error, role);
  if (refusal.status >= 500 && refusal.status !== 501) c.get('log').error({ err: error }, 'A data request failed.');
  return new Response(c.req.method === 'HEAD' ? null : refusal.toJson(), {
    status: refusal.status,
    headers: { ...refusal.headers, 'Content-Type': 'application/json; charset=utf-8' },
  });
}

function refusalOf({ reason, cause }: ResolvedCaller & { ok: false }, credential: string) {
  if (reason === 'expired') return tokenExpired(cause);
  if (reason === 'ended' || reason === 'banned' || reason === 'user-gone') return sessionEnded();
  if (reason === 'refused') return tokenRefused('No suitable key or wrong key type', cause);
  return tokenRefused(`Expected 3 parts in JWT; got ${credential.split('.').length}`, cause);
}
