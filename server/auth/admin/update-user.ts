import type { Context } from 'hono';
import { noteProviders } from '#server/auth/accounts/prove-identifier.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { mergeMetadata } from '../accounts/metadata.ts';
import { findUser, lockUser, shownEmail, toUserObject, type UserRow } from '../accounts/user.ts';
import { deleteSessions } from '../sessions/session-queries.ts';
import { AuthError } from '../wire/auth-error.ts';
import { readBody } from '../wire/request-body.ts';
import { actAsOperator } from './act-as-operator.ts';
import { type AccountRecord, replaceAccount, requireFreeAddress, voidPending } from './admin-queries.ts';
import { requireUserId } from './show-user.ts';
import { readAttributes, type UserAttributes, userAttributes } from './user-attributes.ts';

/**
 * `PUT /admin/users/:id`: applies an operator's changes at once and sends no messages. A new password or a ban ends all
 * sessions of the account.
 */
export async function updateUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const id = requireUserId(c);
  const said = await readAttributes(service, await readBody(c, userAttributes));
  const updated = await actAsOperator(service, async (transaction) => {
    const known = await findUser(transaction, id);
    if (known === undefined) throw new AuthError('userNotFound');
    const email = said.email ?? shownEmail(known);
    const isProved = email === known.email || email !== known.claimed_email || said.confirmEmail;
    // Lock order: the address before the account (see `lockAddress`).
    if (email !== null) await requireFreeAddress(transaction, { id, email, isProved });
    const current = await lockUser(transaction, id);
    if (current === undefined) throw new AuthError('userNotFound');
    await replaceAccount(transaction, change(current, said, new Date(service.now())));
    if (said.email !== null || said.phone !== null) await noteProviders(transaction, id);
    if (said.email !== null || said.phone !== null || said.passwordHash !== null) await voidPending(transaction, id);
    if (said.passwordHash !== null || said.bannedUntil != null) await deleteSessions(transaction, id, null);
    return findUser(transaction, id);
  });
  if (updated === undefined) throw new AuthError('userNotFound');
  return c.json(toUserObject(updated));
}

/** Returns the account as it is to be stored. A new address counts as proved: the operator vouches for it. */
function change(current: UserRow, said: UserAttributes, at: Date): AccountRecord {
  const email = said.email ?? shownEmail(current);
  const phone = said.phone ?? current.phone;
  const otherEmail = email !== shownEmail(current);
  const emailConfirmedAt =
    email === null ? null : confirmedAt(current.email_confirmed_at, { other: otherEmail, said: said.confirmEmail, at });
  const otherPhone = phone !== current.phone;
  return {
    id: current.id,
    email: emailConfirmedAt === null ? null : email,
    claimedEmail: emailConfirmedAt === null ? email : null,
    phone,
    passwordHash: said.passwordHash ?? current.encrypted_password,
    emailConfirmedAt,
    phoneConfirmedAt: confirmedAt(current.phone_confirmed_at, { other: otherPhone, said: said.confirmPhone, at }),
    appMetadata: mergeMetadata(current.raw_app_meta_data, {
      ...said.appMetadata,
      ...(said.passwordHash !== null && { password_needed: null }),
    }),
    userMetadata: mergeMetadata(current.raw_user_meta_data, {
      ...said.userMetadata,
      ...said.verified,
      ...(otherEmail && { email, email_verified: true }),
      ...(otherPhone && { phone_verified: true }),
    }),
    bannedUntil: said.bannedUntil === undefined ? current.banned_until : said.bannedUntil,
  };
}

function confirmedAt(
  before: Date | null,
  { other, said, at }: { readonly other: boolean; readonly said: boolean; readonly at: Date },
): Date | null {
  if (other) return at;
  return said ? (before ?? at) : before;
}
