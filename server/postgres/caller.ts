/** The roles used by row-level security. */
export type ApiRole = 'anon' | 'authenticated' | 'service_role';

/** Who a request runs as: the database role, and the claims that `auth.uid()` and policies read. */
export interface Caller {
  readonly role: ApiRole;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A visitor without an account. */
export const VISITOR: Caller = Object.freeze({ role: 'anon', claims: Object.freeze({ role: 'anon' }) });

export interface CallOptions {
  /** Opens the transaction READ ONLY: a statement that writes fails with 25006. */
  readonly readOnly?: boolean;
  /** Settings of this transaction that functions and policies can read, such as `request.method`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Rolls the transaction back at the end, whatever its result. */
  readonly rollback?: boolean;
  /**
   * Who the connection is counted for: an account has one call at a time. Defaults to the account of a signed-in caller,
   * and to the secret key; null is not counted.
   */
  readonly holder?: string | null;
}

/** Returns the account, address, or key that a request's connection is counted for. */
export function holderOf({ role, claims }: Caller, { holder }: CallOptions): string | null {
  if (holder !== undefined) return holder;
  if (role === 'service_role') return role;
  return role === 'authenticated' && typeof claims.sub === 'string' ? claims.sub : null;
}
