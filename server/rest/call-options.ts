import type { ApiRole } from '#server/postgres/caller.ts';
import type { CallOptions } from '#server/postgres/database.ts';

/** A visitor's query may take one second; those who signed in have the connection's own limit. */
const VISITOR_SETTINGS = { statement_timeout: '1000' };

const OPTIONS = {
  visitor: {
    read: { readOnly: true, settings: VISITOR_SETTINGS },
    write: { readOnly: false, settings: VISITOR_SETTINGS },
  },
  known: { read: { readOnly: true }, write: { readOnly: false } },
} satisfies Record<string, Record<string, CallOptions>>;

/** How a call's transaction is opened. */
export function callOptions(role: ApiRole, readOnly: boolean): CallOptions & { readonly readOnly: boolean } {
  const { read, write } = role === 'anon' ? OPTIONS.visitor : OPTIONS.known;
  return readOnly ? read : write;
}
