import type { CallOptions } from '#server/postgres/caller.ts';
import type { Preferences } from './grammar/parse-preferences.ts';
import type { RestContext, RestRequest } from './rest-request.ts';

/**
 * A statement with the secret key may take 15 seconds. Visitors and those who signed in have the limits of their
 * connections (server/postgres/database.ts): 1 and 8 seconds.
 */
const SERVICE_SETTINGS = { statement_timeout: '15000' };

/** How a call's transaction is opened and ended, with what functions and policies may read of the request. */
export function callOptions(
  { searchPath }: RestContext,
  { method, path, headers, caller, clientAddress }: RestRequest,
  { transaction, timeZone }: Preferences,
  readOnly: boolean,
): CallOptions & { readonly readOnly: boolean } {
  return {
    readOnly,
    rollback: transaction === 'rollback',
    // Whoever signed in counts by their account.
    ...(caller.role === 'anon' && { holder: clientAddress }),
    settings: {
      ...(caller.role === 'service_role' ? SERVICE_SETTINGS : undefined),
      'request.method': method,
      'request.path': path,
      'request.headers': JSON.stringify(headers),
      'request.cookies': cookiesOf(headers.cookie),
      ...(searchPath === null ? undefined : { search_path: searchPath }),
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
