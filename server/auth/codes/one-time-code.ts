import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#server/derive-key.ts';

/** Attempts per code, the correct one included. */
export const CODE_ATTEMPTS = 5;

/** Which client guesses: a device the account has signed in on, the browser that requested the code, or any other. */
export type Guesser = 'known-device' | 'asker' | 'stranger';

/** After this many consecutive wrong codes, codes work only on known devices (NIST SP 800-63B-4, section 3.2.2). */
export const MOST_FAILURES_IN_A_ROW = 100;

/** What a code or a link is for. */
export type TokenType =
  | 'confirmation'
  | 'invite'
  | 'sign_in'
  | 'recovery'
  | 'email_change_current'
  | 'email_change_new'
  | 'phone_change'
  | 'reauthentication'
  | 'address_proof'
  | 'address_disowning';

/** What a code was made for. It is invalid for any other account, purpose or recipient. */
export interface AnyCodePurpose {
  readonly userId: string;
  readonly tokenType: TokenType | 'second_factor';
  /** The address or number it was sent to. */
  readonly recipient: string;
}

/** The same for a code or link that `/verify` accepts. */
export interface CodePurpose extends AnyCodePurpose {
  readonly tokenType: TokenType;
}

export interface OneTimeCodes {
  /** Returns 6 digits from the cryptographic random generator. */
  make(): string;
  /**
   * Returns what is stored. A million codes can be tried quickly, so the hash is keyed with a secret that is not in the
   * database.
   */
  hash(code: string, purpose: AnyCodePurpose): Buffer;
  /** Whether the code matches the stored hash or is the development code. Compares in constant time. */
  matches(code: string, purpose: AnyCodePurpose, stored: Buffer): boolean;
}

export interface OneTimeCodesOptions {
  readonly secret: string;
  /** Accepted in addition to the real code; null in production. */
  readonly developmentCode: string | null;
}

export function createOneTimeCodes({ secret, developmentCode }: OneTimeCodesOptions): OneTimeCodes {
  const key = deriveKey(secret, 'one-time codes');
  const hash: OneTimeCodes['hash'] = (code, { userId, tokenType, recipient }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([userId, tokenType, recipient, code]))
      .digest();
  return {
    make: () => String(randomInt(1_000_000)).padStart(6, '0'),
    hash,
    matches: (code, purpose, stored) =>
      timingSafeEqual(hash(code, purpose), stored) ||
      (developmentCode !== null && timingSafeEqual(hash(code, purpose), hash(developmentCode, purpose))),
  };
}
