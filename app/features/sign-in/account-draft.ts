import type { PendingVerification } from './verify/pending-verification.ts';

/**
 * The typed content of the account forms, kept while the user switches between signing in, registering and the code. In
 * memory only, because it contains a password.
 */
export interface AccountDraft {
  readonly fullName: string;
  readonly email: string;
  /** As typed. */
  readonly phone: string;
  /** An ISO 3166 code such as 'IL'; '' for the default. */
  readonly country: string;
  readonly password: string;
  /** The last canceled verification, whose code may still be on its way. */
  readonly givenUp: PendingVerification | null;
  /** What the service last accepted in this tab, as one text to compare with; null before that and after a reload. */
  readonly registered: string | null;
}

export const EMPTY_DRAFT: AccountDraft = {
  fullName: '',
  email: '',
  phone: '',
  country: '',
  password: '',
  givenUp: null,
  registered: null,
};

export interface DraftProps {
  readonly draft: AccountDraft;
  /** Replaces the given parts of the draft. */
  readonly onDraft: (typed: Partial<AccountDraft>) => void;
}

/** Returns the draft after a registration's verification was canceled: what was typed for it, also after a reload. */
export function draftAfter(pending: PendingVerification, draft: AccountDraft): AccountDraft {
  if (draft.email !== '') return { ...draft, givenUp: pending };
  const { fullName, email, phone } = pending;
  return { ...EMPTY_DRAFT, fullName, email, phone: phone ?? '', givenUp: pending };
}
