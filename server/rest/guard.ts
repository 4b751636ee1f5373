export interface GuardedCall {
  readonly clientAddress: string;
  /** The caller's account, also while the sign-in waits for a second factor; null for a visitor. */
  readonly account: string | null;
  /** The session of that account; null for a visitor. */
  readonly session: string | null;
  /** The database role of the caller: `anon` while the sign-in waits for a second factor. */
  readonly role: string;
  /** Returns an argument by name, as text. */
  argument(name: string): string;
}

/** What the service adds to a function: rate limits, or what only it knows. PostgreSQL still decides permissions. */
export interface Guard {
  /** Calls with the secret key are guarded, too. */
  readonly isForService?: boolean;
  /** The function neither reads the request's settings nor sets those of the response. */
  readonly keepsToItself?: boolean;
  /** Returns the one form in which an argument is stored and compared, by its name. It comes before all else. */
  readonly normalized?: Readonly<Record<string, (text: string) => string>>;
  /** Runs before the call and throws to refuse it. */
  before?(call: GuardedCall): Promise<void> | void;
  /** Returns a response in place of the call, as JSON text, or undefined to make the call. */
  instead?(): string | undefined;
  /** Returns the response, as JSON text, in place of the database's. */
  complete?(body: string): Promise<string>;
  /** Runs after a call that did not fail, whatever its response. */
  succeeded?(call: GuardedCall): Promise<void>;
  /** Receives the SQLSTATE of a failed call; null where the failure is not PostgreSQL's. */
  failed?(call: GuardedCall, code: string | null): Promise<void> | undefined;
}
