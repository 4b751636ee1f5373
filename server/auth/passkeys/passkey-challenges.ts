import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { isUuid } from '#server/is-uuid.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { AuthError } from '../wire/auth-error.ts';

/** What an authenticator is asked to sign. */
export interface PasskeyChallenge {
  /**
   * A UUID of version 8 (RFC 9562, section 5.8). It begins with the Unix second at which the challenge expires, and ends
   * with a mark that only our key makes, and only for the challenge's purpose.
   */
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** `registration` is for one session alone, which the challenge is bound to. */
type ChallengePurpose = 'authentication' | `registration ${string}` | `factor ${string}`;

const LIFE_SECONDS = 5 * 60;
const MARK_BYTES = 5;

export interface PasskeyChallenges {
  make(purpose: ChallengePurpose): PasskeyChallenge;
  /**
   * Returns the challenge with this id. Throws `challengeIdMissing`, `challengeIdMalformed`, `passkeyChallengeSpent` for
   * an id that was not given out for this purpose, or `passkeyChallengeExpired`.
   */
  open(id: string, purpose: ChallengePurpose): PasskeyChallenge;
  /** Returns the bytes of a challenge that is stored elsewhere under its id. */
  bytesOf(id: string, purpose: ChallengePurpose): Uint8Array<ArrayBuffer>;
}

/**
 * Makes challenges from random ids with a key, so that none is stored until it is answered: the sign-in form requests one
 * each time it opens, and so can anyone.
 */
export function createPasskeyChallenges(key: KeyObject, now: () => number): PasskeyChallenges {
  const bytesOf = (id: string, purpose: ChallengePurpose) =>
    new Uint8Array(createHmac('sha256', key).update(`${purpose} ${id.toLowerCase()}`).digest());
  const markOf = (raw: Buffer, purpose: ChallengePurpose) =>
    createHmac('sha256', key)
      .update(`mark of ${purpose} `)
      .update(raw.subarray(0, -MARK_BYTES))
      .digest()
      .subarray(0, MARK_BYTES);
  return {
    make(purpose) {
      const expiresAt = Math.floor(now() / 1000) + LIFE_SECONDS;
      const raw = randomBytes(16);
      raw.writeUInt32BE(expiresAt, 0);
      raw.writeUInt8((raw.readUInt8(6) & 0x0f) | 0x80, 6);
      raw.writeUInt8((raw.readUInt8(8) & 0x3f) | 0x80, 8);
      markOf(raw, purpose).copy(raw, raw.length - MARK_BYTES);
      const id = raw.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      return { id, bytes: bytesOf(id, purpose), expiresAt };
    },
    open(id, purpose) {
      if (id === '') throw new AuthError('challengeIdMissing');
      if (!isUuid(id)) throw new AuthError('challengeIdMalformed');
      const raw = Buffer.from(id.replaceAll('-', ''), 'hex');
      if (!timingSafeEqual(raw.subarray(-MARK_BYTES), markOf(raw, purpose))) {
        throw new AuthError('passkeyChallengeSpent');
      }
      const expiresAt = raw.readUInt32BE(0);
      if (expiresAt * 1000 <= now()) throw new AuthError('passkeyChallengeExpired');
      return { id: id.toLowerCase(), bytes: bytesOf(id, purpose), expiresAt };
    },
    bytesOf,
  };
}

/** Spends a challenge. Returns false where it is spent. */
export async function spendChallenge(from: Transaction, { id, expiresAt }: PasskeyChallenge): Promise<boolean> {
  const { rows } = await from.query({
    name: 'auth_spend_challenge',
    text: `insert into auth.spent_challenges (id, expires_at) values ($1, to_timestamp($2))
             on conflict (id) do nothing returning id`,
    values: [id, expiresAt],
  });
  return rows.length > 0;
}
