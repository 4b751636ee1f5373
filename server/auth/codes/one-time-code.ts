import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#server/derive-key.ts';

/** Guesses at one code, the right one included. */
export const CODE_ATTEMPTS = 5;

/** Who guesses at a code: a device where the account has signed in, the browser that asked for it, or anybody else. */
export type Guesser = 'known-device' | 'asker' | 'stranger';

/** After this many wrong codes in a row they are off for all but known devices (NIST SP 800-63B-4, section 3.2.2). */
export const MOST_FAILURES_IN_A_ROW = 100;

/** What a code, or a link, is sent for. */
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

/** What a code was made for: it is worth nothing for another account, purpose or recipient. */
export interface AnyCodePurpose {
  readonly userId: string;
  readonly tokenType: TokenType | 'second_factor';
  /** The address or number that it is sent to. */
  readonly recipient: string;
}

/** The same for a code or a link that can be verified at `/verify`. */
export interface CodePurpose extends AnyCodePurpose {
  readonly tokenType: TokenType;
}

export interface OneTimeCodes {
  /** 6 digits from the cryptographic generator. */
  make(): string;
  /** What is stored. A million codes are quickly tried, so the hash has a key that the database does not know. */
  hash(code: string, purpose: AnyCodePurpose): Buffer;
  /** Whether the code is the one that was stored, or the development code; in constant time. */
  matches(code: string, purpose: AnyCodePurpose, stored: Buffer): boolean;
}

export interface OneTimeCodesOptions {
  readonly secret: string;
  /** Accepted beside the real code; null in production. */
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
