/** A session as it ought to be. */
export interface SessionModel {
  readonly id: string;
  aal: 'aal1' | 'aal2';
  /** Every refresh token that it was given, the living one last. */
  readonly refreshTokens: string[];
  /** When the living one was issued for a second factor, in milliseconds; null where it was for the one before it. */
  raisedAt: number | null;
  accessToken: string;
  alive: boolean;
}

/** One account as it ought to be, beside the real one. */
export interface AccountModel {
  readonly sessions: SessionModel[];
  password: string;
  /** The second factor that counts, if there is one. */
  factor: { readonly id: string; code(): string } | null;
}

export function livingOf({ sessions }: AccountModel): SessionModel[] {
  return sessions.filter(({ alive }) => alive);
}

/** Nothing of an account's own is within reach of a session that has not shown its second factor. */
export function seesOwnRows(account: AccountModel, { alive, aal }: SessionModel): boolean {
  return alive && (account.factor === null || aal === 'aal2');
}
