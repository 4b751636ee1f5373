/** The roles that row-level security knows. */
export type ApiRole = 'anon' | 'authenticated' | 'service_role';

/** Who asks: the database role that a call runs as, and the claims that `auth.uid()` and policies read. */
export interface Caller {
  readonly role: ApiRole;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A visitor without an account. */
export const VISITOR: Caller = Object.freeze({ role: 'anon', claims: Object.freeze({ role: 'anon' }) });

export interface CallOptions {
  /** The transaction is opened READ ONLY: a statement that writes fails with 25006. */
  readonly readOnly?: boolean;
  /** Settings of this transaction that functions and policies may read, such as `request.method`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Nothing of it is kept, whatever it answers. */
  readonly rollback?: boolean;
  /**
   * Whose share of the connections it takes: nobody has more than a third. Without a word it is the account of who
   * signed in; null is nobody's.
   */
  readonly holder?: string | null;
}

/** The account or address whose share of the connections a call takes. */
export function holderOf({ role, claims }: Caller, { holder }: CallOptions): string | null {
  if (holder !== undefined) return holder;
  return role === 'authenticated' && typeof claims.sub === 'string' ? claims.sub : null;
}
