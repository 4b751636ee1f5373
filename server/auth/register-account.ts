import { randomUUID } from 'node:crypto';
import type { Transaction } from '#server/postgres/statement.ts';
import { isClaimedWithPhone, lockPendingRegistration } from './claim-queries.ts';
import { lockAddress } from './prove-email.ts';
import type { Metadata } from './sign-up-data.ts';
import { findUserByEmail, insertUser, putEmailIdentity, replaceUnconfirmedUser } from './user-queries.ts';

export type Registered =
  | {
      readonly outcome: 'unconfirmed';
      readonly userId: string;
      /** There was a registration before it, in other words. */
      readonly replacesAnother: boolean;
    }
  | { readonly outcome: 'exists' };

export interface Registration {
  readonly email: string;
  /** Null for an account that begins without a password. */
  readonly passwordHash: string | null;
  readonly data: Metadata;
  /** Where the code goes, in E.164; null where it goes to the address. */
  readonly phone: string | null;
  /** What the database keeps of the device that registers. */
  readonly registeredOn: Buffer;
}

/** Stands for the device of an operator, whose registrations are not a stranger's. */
export const BY_OPERATOR = Buffer.alloc(0);

/**
 * Makes the unconfirmed account of a registration, or makes the one whose code goes to the same place what this
 * registration says. They are counted: after several of different people, the proof brings nobody's password along. An
 * account that has proved the address, or that claims it and has proved the number, is there already.
 */
export async function registerAccount(
  transaction: Transaction,
  { email, passwordHash, data, phone, registeredOn }: Registration,
): Promise<Registered> {
  await lockAddress(transaction, email);
  if ((await findUserByEmail(transaction, email)) !== undefined) return { outcome: 'exists' };
  if (phone !== null && (await isClaimedWithPhone(transaction, email, phone))) return { outcome: 'exists' };
  const pending = await lockPendingRegistration(transaction, email, phone);
  const id = pending?.id ?? randomUUID();
  const metadata = { ...data, email, email_verified: false, phone_verified: false, sub: id };
  const details = { id, email, passwordHash, metadata, phone, registeredOn };
  let registrations = 1;
  if (pending === undefined) await insertUser(transaction, details);
  else registrations = await replaceUnconfirmedUser(transaction, details);
  await putEmailIdentity(transaction, id, metadata);
  return { outcome: 'unconfirmed', userId: id, replacesAnother: registrations > 1 };
}
