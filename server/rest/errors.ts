import type { ClaimsRefused } from '#server/tokens/claims-refused.ts';
import { RestError } from './rest-error.ts';
import type { BodyKind } from './schema-cache/schema.ts';

/**
 * Every refusal of the data service, one function each. Codes, statuses, and messages are PostgREST's. Names in a
 * message are the caller's own or those of the exposed schema.
 */

export const unparsable = (what: string, text: string, column: number, details: string) =>
  new RestError('PGRST100', 400, `"failed to parse ${what} (${text})" (line 1, column ${column})`, { details });

export const malformedQueryString = () =>
  new RestError('PGRST100', 400, 'The query string is not percent-encoded UTF-8');

export const repeatedParameter = (name: string) =>
  new RestError('PGRST100', 400, `The query parameter '${name}' may be given once`);

export const tooComplex = (details: string) => new RestError('PGRST100', 400, 'The query is too complex', { details });

export const methodNotForFunctions = (method: string) =>
  new RestError('PGRST101', 405, `Cannot use the ${method} method on RPC`, { headers: { Allow: 'GET, HEAD, POST' } });

export const invalidBody = (message = 'Empty or invalid json') => new RestError('PGRST102', 400, message);

export const bodyTooLarge = (limitBytes: number) =>
  new RestError('PGRST102', 413, `The body is larger than ${limitBytes} bytes`);

export const tooManyRows = (most: number) => new RestError('PGRST102', 413, `The body has more than ${most} rows`);

export const rangeNotSatisfiable = (details: string, headers: Readonly<Record<string, string>> = {}) =>
  new RestError('PGRST103', 416, 'Requested range not satisfiable', { details, headers });

export const schemaNotExposed = (schema: string, exposed: readonly string[]) =>
  new RestError('PGRST106', 406, `Invalid schema: ${schema}`, {
    hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
  });

export const mediaTypeNotAvailable = (asked: string) =>
  new RestError('PGRST107', 406, `None of these media types are available: ${asked}`);

export const notEmbedded = (relation: string) =>
  new RestError('PGRST108', 400, `'${relation}' is not an embedded resource in this request`, {
    hint: `Verify that '${relation}' is included in the 'select' query parameter.`,
  });

export const limitWithoutOrder = () =>
  new RestError('PGRST109', 400, "A 'limit' was applied without an explicit 'order'", {
    hint: "Apply an 'order' using unique column(s)",
  });

export const notSingular = (rows: number) =>
  new RestError('PGRST116', 406, 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  });

export const methodNotForTables = (method: string) =>
  new RestError('PGRST117', 405, `Unsupported HTTP method: ${method}`, {
    headers: { Allow: 'GET, HEAD, POST, PATCH, DELETE' },
  });

export const relatedOrderImpossible = (origin: string, relation: string) =>
  new RestError('PGRST118', 400, `A related order on '${relation}' is not possible`, {
    details: `'${origin}' and '${relation}' do not form a many-to-one or one-to-one relationship`,
  });

export const embedNotTested = (relation: string) =>
  new RestError('PGRST120', 400, `Bad operator on the '${relation}' embedded resource`, {
    details: 'Only is null or not is null filters are allowed on embedded resources',
  });

export const unreadableRaise = (cause: unknown) =>
  new RestError('PGRST121', 500, 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error', { cause });

export const invalidResponseHeaders = () =>
  new RestError(
    'PGRST111',
    500,
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  );

export const invalidResponseStatus = () =>
  new RestError('PGRST112', 500, 'response.status guc must be a valid status code');

export const invalidPreferences = (preferences: readonly string[]) =>
  new RestError('PGRST122', 400, 'Invalid preferences given with handling=strict', {
    details: `Invalid preferences: ${preferences.join(', ')}`,
  });

export const aggregatesNotAllowed = () => new RestError('PGRST123', 400, 'Use of aggregate functions is not allowed');

export const tooManyAffected = (rows: number) =>
  new RestError('PGRST124', 400, 'Query result exceeds max-affected preference constraint', {
    details: `The query affects ${rows} rows`,
  });

export const invalidPath = () => new RestError('PGRST125', 404, 'Invalid path specified in request URL');

export const rootDisabled = () =>
  new RestError('PGRST126', 404, 'Root endpoint metadata is disabled', {
    hint: 'Name a table, a view or rpc/function in the path.',
  });

export const featureNotServed = (details: string) =>
  new RestError('PGRST127', 400, 'Feature not implemented', { details });

export const maxAffectedNeedsSet = () =>
  new RestError('PGRST128', 400, 'Function must return SETOF or TABLE when max-affected preference is used');

export const relationshipNotFound = (
  parent: string,
  relation: string,
  relationHint: string | null,
  schema: string,
  meant: string | null,
) => {
  const using = relationHint === null ? '' : ` using the hint '${relationHint}'`;
  return new RestError(
    'PGRST200',
    400,
    `Could not find a relationship between '${parent}' and '${relation}' in the schema cache`,
    {
      details: `Searched for a foreign key relationship between '${parent}' and '${relation}'${using} in the schema '${schema}', but no matches were found.`,
      hint: meant === null || meant === relation ? null : `Perhaps you meant '${meant}' instead of '${relation}'.`,
    },
  );
};

export interface RelationshipCandidate {
  readonly cardinality: string;
  readonly embedding: string;
  readonly relationship: string;
  /** The hint that selects this candidate. */
  readonly hint: string;
}

export const relationshipAmbiguous = (
  parent: string,
  relation: string,
  candidates: readonly RelationshipCandidate[],
) => {
  const names = candidates.map(({ hint }) => `'${relation}!${hint}'`).join(', ');
  return new RestError(
    'PGRST201',
    300,
    `Could not embed because more than one relationship was found for '${parent}' and '${relation}'`,
    {
      details: candidates.map(({ cardinality, embedding, relationship }) => ({ cardinality, embedding, relationship })),
      hint:
        names === ''
          ? null
          : `Try changing '${relation}' to one of the following: ${names}. Find the desired relationship in the 'details' key.`,
    },
  );
};

export const functionNotFound = (
  schema: string,
  name: string,
  { given, body, meant }: { given: readonly string[]; body: BodyKind | null; meant: string | null },
) => {
  const list = given.join(', ');
  let called = given.length === 0 ? ' without parameters' : `(${list})`;
  let searched = given.length === 0 ? called : ` with parameter${given.length === 1 ? '' : 's'} ${list}`;
  if (body === 'json') searched += ' or with a single unnamed json/jsonb parameter';
  else if (body !== null) [called, searched] = ['', ` with a single unnamed ${body} parameter`];
  return new RestError('PGRST202', 404, `Could not find the function ${schema}.${name}${called} in the schema cache`, {
    details: `Searched for the function ${schema}.${name}${searched}, but no matches were found in the schema cache.`,
    hint: meant === null ? null : `Perhaps you meant to call the function ${schema}.${meant}`,
  });
};

export const functionAmbiguous = (candidates: readonly string[]) =>
  new RestError('PGRST203', 300, `Could not choose the best candidate function between: ${candidates.join(', ')}`, {
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  });

export const columnNotInCache = (column: string, table: string) =>
  new RestError('PGRST204', 400, `Could not find the '${column}' column of '${table}' in the schema cache`);

export const tableNotFound = (schema: string, table: string, meant: string | null) =>
  new RestError('PGRST205', 404, `Could not find the table '${schema}.${table}' in the schema cache`, {
    hint: meant === null ? null : `Perhaps you meant the table '${schema}.${meant}'`,
  });

/** For a filter, an order or a select list; the same error as PostgreSQL's. */
export const columnNotFound = (table: string, column: string) =>
  new RestError('42703', 400, `column ${table}.${column} does not exist`);

/** PostgreSQL would store the JSON text itself, which is never intended. */
export const notText = (name: string) =>
  new RestError('22P02', 400, `invalid value for "${name}": text is wanted, not an object or a list`);

export const typeNotFound = (type: string) => new RestError('42704', 400, `type "${type}" does not exist`);

export const tokenRefused = (message: string, cause: unknown) =>
  new RestError('PGRST301', 401, message, {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    cause,
  });

export const tokenExpired = (cause: unknown) =>
  new RestError('PGRST303', 401, 'JWT expired', {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token", error_description="JWT expired"' },
    cause,
  });

/** A token of ours that lacks claims or is for another service. The first two messages are PostgREST's. */
export const claimsRefused = (refused: ClaimsRefused) => {
  const words: Readonly<Record<string, string>> = {
    'unexpected aud': 'JWT not in audience',
    'unexpected nbf': 'JWT not yet valid',
  };
  const message = words[refused.message] ?? `JWT claims refused: ${refused.message}`;
  return new RestError('PGRST303', 401, message, {
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` },
    cause: refused,
  });
};

/** Not part of PostgREST, which has no sessions: the token was valid until its session or account ended. */
export const sessionEnded = () =>
  new RestError('PGRST303', 401, 'JWT session has ended', {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token", error_description="The session has ended"' },
  });

export const databaseUnreachable = (cause: unknown) =>
  new RestError('PGRST001', 503, 'The database does not respond at the moment', {
    headers: { 'Retry-After': '2' },
    cause,
  });

export const schemaCacheUnavailable = (cause: unknown) =>
  new RestError('PGRST002', 503, 'Could not query the database for the schema cache. Retrying.', {
    headers: { 'Retry-After': '2' },
    cause,
  });

/** Not part of PostgREST: the limits of look-ups, and of functions with a guard. */
export const tooManyRequests = (retryAfterSeconds: number) =>
  new RestError('over_request_rate_limit', 429, 'Too many requests. Please try again later.', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });

/** Not part of PostgREST: too many concurrent requests of one account or one visitor's address. */
export const tooManyAtOnce = (cause: unknown) =>
  new RestError('over_request_rate_limit', 429, 'Too many requests at once. Please try again.', {
    headers: { 'Retry-After': '2' },
    cause,
  });

export const unexpected = (cause: unknown) =>
  new RestError('PGRSTX00', 500, 'Something went wrong on our side', { cause });
