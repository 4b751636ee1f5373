import type { PendingVerification } from './pending-verification.ts';

/**
 * What is typed in the account forms so far, kept while a person moves between signing in, registering and the code. It
 * lives in memory alone, because a password is in it.
 */
export interface AccountDraft {
  readonly fullName: string;
  readonly email: string;
  /** As typed. */
  readonly phone: string;
  /** ISO 3166, such as 'IL'; '' for the default. */
  readonly country: string;
  readonly password: string;
  /** The verification that was given up last, whose code may still be on its way. */
  readonly givenUp: PendingVerification | null;
}

export const EMPTY_DRAFT: AccountDraft = {
  fullName: '',
  email: '',
  phone: '',
  country: '',
  password: '',
  givenUp: null,
};

export interface DraftProps {
  readonly draft: AccountDraft;
  /** Replaces the named parts of the draft. */
  readonly onDraft: (typed: Partial<AccountDraft>) => void;
}

/** The draft after the verification of a registration was given up: what was typed for it, also after a reload. */
export function draftAfter(pending: PendingVerification, draft: AccountDraft): AccountDraft {
  if (draft.email !== '') return { ...draft, givenUp: pending };
  const { fullName, email, phone } = pending;
  return { ...EMPTY_DRAFT, fullName, email, phone: phone ?? '', givenUp: pending };
}
