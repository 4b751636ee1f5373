/** The roles that row-level security knows. */
export type ApiRole = 'anon' | 'authenticated' | 'service_role';

/** Who asks: the database role that a call runs as, and the claims that `auth.uid()` and policies read. */
export interface Caller {
  readonly role: ApiRole;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A visitor without an account. */
export const VISITOR: Caller = Object.freeze({ role: 'anon', claims: Object.freeze({ role: 'anon' }) });
