import { type Context, Hono } from 'hono';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { ApiRole } from '#server/postgres/caller.ts';
import { ClaimsRefused } from '#server/tokens/claims-refused.ts';
import type { ResolvedCaller } from '#server/tokens/resolve-caller.ts';
import {
  claimsRefused,
  invalidPath,
  rootDisabled,
  schemaCacheUnavailable,
  schemaNotExposed,
  sessionEnded,
  tokenExpired,
  tokenRefused,
} from './errors.ts';
import { explainFailure } from './explain-failure.ts';
import type { Guard } from './guard.ts';
import type { Requester } from './known-message.ts';
import { type RestResponse, respond } from './responses/respond.ts';
import type { RestContext, RestRequest } from './rest-request.ts';
import type { Schema } from './schema-cache/schema.ts';
import { SchemaCache } from './schema-cache/schema-cache.ts';
import { serveFunction } from './serve-function.ts';
import { serveRelation } from './serve-relation.ts';
import { StatementNames } from './sql/statement-names.ts';

/**
 * `/rest/v1`: tables, views and functions of the exposed schemas. Each request runs as its caller.
 *
 * @param guards - What is added to functions of the product, by their names.
 */
export function restRoutes(dependencies: Dependencies, guards: ReadonlyMap<string, Guard>): Hono<AppEnv> {
  const { config, database, log, resolveCaller } = dependencies;
  const exposed = config.rest.schemas;
  const cache = new SchemaCache({ database, log, names: exposed });
  const names = new StatementNames();
  const routes = new Hono<AppEnv>();

  const contexts = new WeakMap<Schema, RestContext>();
  const contextOf = (schema: Schema): RestContext => {
    let context = contexts.get(schema);
    if (context === undefined) {
      const ours = schema.name === PRODUCT_SCHEMA ? guards : new Map();
      const searchPath = [...new Set([schema.name, ...config.rest.searchPath])].join(', ');
      context = {
        database,
        schema,
        names,
        guards: ours,
        misses: dependencies.misses,
        settings: config.rest,
        searchPath: searchPath === 'public' ? null : searchPath,
      };
      contexts.set(schema, context);
    }
    return context;
  };
  const loadSchemas = () =>
    cache.load().catch((cause: unknown) => {
      throw schemaCacheUnavailable(cause);
    });

  /**
   * Identifies the caller, handles the request and converts failures to responses, with the names the caller's role
   * knows.
   */
  const serve = async (c: Context<AppEnv>, { path, name, handle }: Target): Promise<Response> => {
    let role: ApiRole = 'anon';
    let schema: Schema | undefined;
    try {
      const authorization = c.req.header('authorization') ?? null;
      const apiKey = c.req.header('apikey') ?? null;
      const resolved = await resolveCaller(authorization, apiKey);
      if (!resolved.ok) throw refusalOf(resolved, authorization ?? apiKey ?? '');
      role = resolved.caller.role;
      const profile = readProfile(c) ?? exposed[0] ?? PRODUCT_SCHEMA;
      if (!exposed.includes(profile)) throw schemaNotExposed(profile, exposed);
      schema = (cache.current ?? (await loadSchemas())).get(profile);
      if (schema === undefined) throw schemaNotExposed(profile, exposed);
      const response = await handle(contextOf(schema), readRequest(c, { path, name, caller: resolved.caller }));
      // Awaited here, so that a failure is refused like any other.
      return await respond(response, { schema: profile, acceptEncoding: c.req.header('accept-encoding') });
    } catch (error) {
      return refuse(c, error, { role, schema, name });
    }
  };

  routes.all('*', (c) => {
    const path = c.req.path.slice(c.req.path.indexOf('/v1') + '/v1'.length);
    if (path === '' || path === '/') return refuse(c, rootDisabled(), ANONYMOUS_CALLER);
    const target = readTarget(path);
    return target === null ? refuse(c, invalidPath(), ANONYMOUS_CALLER) : serve(c, target);
  });
  return routes;
}

/** The target of a request. */
interface Target {
  /** The path after `/rest/v1`. */
  readonly path: string;
  readonly name: string;
  handle(context: RestContext, request: RestRequest): Promise<RestResponse>;
}

const TARGET = /^\/(rpc\/)?([^/]+)$/;

/**
 * Parses `/{relation}` or `/rpc/{function}`. The router is not used for this: with a name as a parameter it would have
 * to try every route of the service in turn.
 */
function readTarget(path: string): Target | null {
  const [, rpc, text] = TARGET.exec(path) ?? [];
  if (text === undefined) return null;
  return { path, name: decodeName(text), handle: rpc === undefined ? serveRelation : serveFunction };
}

/** Returns malformed percent-encoding unchanged; the error message then names it as sent. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A visitor whose request has named nothing yet. */
const ANONYMOUS_CALLER: Requester = { role: 'anon', name: '', schema: undefined };
/** The schema of the product's own tables and functions. */
const PRODUCT_SCHEMA = 'public';

function readProfile(c: Context<AppEnv>): string | undefined {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  return c.req.header(reads ? 'accept-profile' : 'content-profile');
}

function readRequest(
  c: Context<AppEnv>,
  { path, name, caller }: Pick<RestRequest, 'path' | 'name' | 'caller'>,
): RestRequest {
  const { url } = c.req.raw;
  const question = url.indexOf('?');
  return {
    method: c.req.method,
    path,
    name,
    queryString: question === -1 ? '' : url.slice(question + 1),
    accept: c.req.header('accept'),
    prefer: c.req.header('prefer'),
    headers: c.env.incoming?.headers ?? c.req.header(),
    raw: c.req.raw,
    caller,
    clientAddress: c.get('clientAddress'),
  };
}

function refuse(c: Context<AppEnv>, error: unknown, requester: Requester): Response {
  const refusal = explainFailure(error, requester);
  if (refusal.status >= 500) c.get('log').error({ err: error }, 'A data request failed.');
  return new Response(c.req.method === 'HEAD' ? null : refusal.toJson(), {
    status: refusal.status,
    headers: { ...refusal.headers, 'Content-Type': 'application/json; charset=utf-8' },
  });
}

function refusalOf({ reason, cause }: ResolvedCaller & { ok: false }, credential: string) {
  if (reason === 'expired') return tokenExpired(cause);
  if (reason === 'ended' || reason === 'banned' || reason === 'user-gone') return sessionEnded();
  if (cause instanceof ClaimsRefused) return claimsRefused(cause);
  if (reason === 'refused') return tokenRefused('No suitable key or wrong key type', cause);
  return tokenRefused(`Expected 3 parts in JWT; got ${credential.split('.').length}`, cause);
}
