import type { ApiRole } from '#server/postgres/caller.ts';
import type { CallOptions } from '#server/postgres/database.ts';
import type { Preferences } from './grammar/parse-preferences.ts';
import type { RestContext, RestRequest } from './rest-request.ts';

/** Milliseconds that one statement may take. */
const STATEMENT_TIMEOUT_MS: Readonly<Record<ApiRole, number>> = {
  anon: 1_000,
  authenticated: 8_000,
  service_role: 15_000,
};

/** How a call's transaction is opened and ended, with what functions and policies may read of the request. */
export function callOptions(
  { schema, settings }: RestContext,
  { method, path, headers, caller }: RestRequest,
  { transaction, timeZone }: Preferences,
  readOnly: boolean,
): CallOptions & { readonly readOnly: boolean } {
  const searchPath = [...new Set([schema.name, ...settings.searchPath])].join(', ');
  return {
    readOnly,
    rollback: transaction === 'rollback',
    settings: {
      statement_timeout: String(STATEMENT_TIMEOUT_MS[caller.role]),
      'request.method': method,
      'request.path': path,
      'request.headers': JSON.stringify(headers),
      'request.cookies': cookiesOf(headers.cookie),
      // The connection's own.
      ...(searchPath === 'public' ? undefined : { search_path: searchPath }),
      ...(timeZone === null ? undefined : { timezone: timeZone }),
    },
  };
}

/** A `Cookie` header (RFC 6265, section 4.2.1) as a JSON object. */
function cookiesOf(header: unknown): string {
  if (typeof header !== 'string') return '{}';
  const pairs = header.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals === -1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as const];
  });
  return JSON.stringify(Object.fromEntries(pairs));
}
