import type { CallOptions } from '#server/postgres/caller.ts';
import type { Preferences } from './grammar/parse-preferences.ts';
import type { RestContext, RestRequest } from './rest-request.ts';

/**
 * A statement with the secret key may take 15 seconds. Visitors and signed-in users have the timeouts of their
 * connections, 1 and 4 seconds (server/postgres/database.ts).
 */
const SERVICE_SETTINGS = { statement_timeout: '15000' };

/** Codes that can be guessed are not looked up (`internal.require_look_up`). */
const MISSES_USED_UP = { 'reunite.misses': 'used up' };

/** What leaves a trace on purpose is refused (`internal.require_operator`). */
const MAY_BE_UNDONE = { 'reunite.may_be_undone': 'yes' };

/** What is known of a call before it is made. */
interface CallKind {
  readonly readOnly: boolean;
  /** It is rolled back, or its response can still be refused. */
  readonly mayBeUndone: boolean;
}

/**
 * Returns how a request's transaction begins and ends, with the request settings that functions and policies may read.
 */
export function callOptions(
  { searchPath, misses }: RestContext,
  { method, path, headers, caller, clientAddress }: RestRequest,
  { transaction, timeZone }: Preferences,
  { readOnly, mayBeUndone }: CallKind,
): CallOptions & { readonly readOnly: boolean } {
  return {
    readOnly,
    rollback: transaction === 'rollback',
    // Signed-in users are counted by account, visitors by network address.
    ...(caller.role === 'anon' && { holder: clientAddress }),
    settings: {
      ...(caller.role === 'service_role' ? SERVICE_SETTINGS : undefined),
      'request.method': method,
      'request.path': path,
      'request.headers': JSON.stringify(headers),
      'request.cookies': cookiesOf(headers.cookie),
      ...(misses.refusal(clientAddress) !== null && MISSES_USED_UP),
      ...(mayBeUndone && MAY_BE_UNDONE),
      ...(searchPath === null ? undefined : { search_path: searchPath }),
      ...(timeZone === null ? undefined : { timezone: timeZone }),
    },
  };
}

/** Returns a `Cookie` header (RFC 6265, section 4.2.1) as a JSON object. */
function cookiesOf(header: unknown): string {
  if (typeof header !== 'string') return '{}';
  const pairs = header.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals === -1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as const];
  });
  return JSON.stringify(Object.fromEntries(pairs));
}
