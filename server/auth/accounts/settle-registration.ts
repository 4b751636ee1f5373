import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '#server/postgres/statement.ts';
import {
  BY_OPERATOR,
  findRegistrations,
  type PendingRegistration,
  putEmailIdentity,
  registrationOf,
  replaceUnconfirmedUser,
} from './register-account.ts';
import { lockUser, type UserRow } from './user.ts';

export interface Proof {
  /** Hash of the cookie of the browser that entered the code or followed the link; null without a cookie. */
  readonly deviceHash: Buffer | null;
  /** The code was entered in a form for registrations. */
  readonly isEntered: boolean;
}

export interface SettledRegistration {
  /** The account that the proof confirms. */
  readonly user: UserRow;
  /** Whether the one who proves also entered its details. Otherwise they are removed. */
  readonly isOfReader: boolean;
}

/**
 * Returns the account that a proof of a recipient confirms, of all registrations that wait for this recipient; the
 * address must be locked. A code or link shows who reads a mailbox or phone, and the browser shows what that person
 * entered. So it does not matter for which registration the code was sent:
 *
 * - An account that an operator created, with the details of the browser's own registration, if any.
 * - Else the browser's own registration.
 * - Else the registration that the code was sent for, without its details. They are kept only where a client without
 *   cookies enters the code and nobody else entered other ones.
 *
 * See docs/decisions/0058-each-browser-has-its-own-registration.md.
 */
export async function settleRegistration(
  transaction: Transaction,
  user: UserRow,
  { deviceHash, isEntered }: Proof,
): Promise<SettledRegistration> {
  const { claimed_email: email, registration_phone: phone } = user;
  const pending = email === null ? [user] : await findRegistrations(transaction, email, phone);
  const own = registrationOf(pending, deviceHash);
  const byOperator = registrationOf(pending, BY_OPERATOR);
  if (byOperator !== undefined && own !== undefined && email !== null) {
    await copyDetails(transaction, own, { id: byOperator.id, email, phone });
  }
  const chosen = byOperator ?? own;
  if (chosen !== undefined) {
    return { user: (await lockUser(transaction, chosen.id)) ?? user, isOfReader: true };
  }
  const isOnlyOne = pending.every((other) => isSameRegistration(other, user));
  return { user, isOfReader: isEntered && deviceHash === null && isOnlyOne };
}

/** An operator's account keeps its id and what the operator allows it. */
async function copyDetails(
  transaction: Transaction,
  { encrypted_password: passwordHash, raw_user_meta_data: entered }: PendingRegistration,
  { id, email, phone }: { readonly id: string; readonly email: string; readonly phone: string | null },
): Promise<void> {
  const metadata = { ...entered, sub: id };
  await replaceUnconfirmedUser(transaction, { id, email, passwordHash, metadata, phone, registeredOn: BY_OPERATOR });
  await putEmailIdentity(transaction, id, metadata);
}

/** Only one person can have entered the same password. Without one, the rest must be the same. */
function isSameRegistration(one: PendingRegistration, other: PendingRegistration): boolean {
  if (one.encrypted_password !== other.encrypted_password) return false;
  const withoutId = ({ raw_user_meta_data: { sub: _, ...metadata } }: PendingRegistration) => metadata;
  return one.encrypted_password !== null || isDeepStrictEqual(withoutId(one), withoutId(other));
}
