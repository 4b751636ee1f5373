import type { Transaction } from '#server/postgres/statement.ts';
import type { AuthService } from '../auth-service.ts';
import { deleteCodes, type PendingCode, putCode } from '../codes/one-time-code.ts';
import type { SentToken } from '../codes/redeem-code.ts';
import type { CodeMessage } from '../codes/send-code.ts';
import { END_OF_EMAIL_CHANGE, spendCodes } from '../codes/spend-codes.ts';
import { bindsToProofKey, type Redirect } from '../wire/redirects.ts';
import { enqueueChangeNotice } from './enqueue-account-mail.ts';
import { noteProviders, proveEmail } from './prove-identifier.ts';
import type { UserRow } from './user.ts';

const PROOFS = ['email_change_current', 'email_change_new'] as const;
type Proof = (typeof PROOFS)[number];

export interface EmailChange {
  readonly newEmail: string;
  readonly redirect: Redirect;
  readonly challenge: string;
  /** Another account has the address. Only the mail to that address says so; nothing else differs. */
  readonly taken: boolean;
  /** When the holder of the requesting session last proved their identity; see `PendingCode`. */
  readonly provedAt: Date | null;
  /** Hash of the requesting device's cookie, or null without a cookie. Omitted for requests by an operator. */
  readonly askedOn?: Buffer | null;
  /** The same of the browser that began the change; see `PendingCode`. */
  readonly begunOn?: Buffer | null;
}

/**
 * Records a requested email address in place of any earlier request, and returns the confirmation messages to send: one
 * to the new address and, where the current address is proved, one to that. They can be confirmed in either order.
 */
export async function beginEmailChange(
  service: AuthService,
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email'>,
  { newEmail, ...question }: EmailChange,
): Promise<CodeMessage[]> {
  const asksCurrent = service.config.doubleConfirmEmailChange && user.email !== null;
  const awaits = PROOFS.filter((proof) => proof === 'email_change_new' || asksCurrent);
  await deleteCodes(transaction, user.id, PROOFS);
  await transaction.query({
    name: 'auth_begin_email_change',
    text: `update auth.users set new_email = $2, email_change_awaits = $3, email_change_sent_at = $4 where id = $1`,
    values: [user.id, newEmail, awaits, new Date(service.now())],
  });
  return putPendingCodes(service, transaction, { ...user, new_email: newEmail, email_change_awaits: awaits }, question);
}

/** Creates new confirmation messages for the addresses that have not confirmed yet. */
export async function putPendingCodes(
  service: AuthService,
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email' | 'new_email' | 'email_change_awaits'>,
  { redirect, challenge, taken, provedAt, ...device }: Omit<EmailChange, 'newEmail'>,
): Promise<CodeMessage[]> {
  const { id: userId, email, new_email: newAddress, email_change_awaits: awaits } = user;
  if (newAddress === null) return [];
  const messages: CodeMessage[] = [];
  for (const tokenType of PROOFS) {
    const recipient = tokenType === 'email_change_new' ? newAddress : email;
    if (!awaits.includes(tokenType) || recipient === null) continue;
    const bound = bindsToProofKey(redirect, challenge) ? challenge : null;
    const pending: PendingCode = {
      userId,
      tokenType,
      channel: 'email',
      recipient,
      challenge: bound,
      provedAt,
      ...device,
    };
    const secrets = await putCode(service, transaction, pending);
    messages.push({ pending, redirect, newAddress, secrets, taken: taken && tokenType === 'email_change_new' });
  }
  return messages;
}

export type EmailChangeStep = 'waits-for-the-other' | 'changed' | 'taken';

/**
 * Records that one address has confirmed the change, and applies the change once all have. The caller must hold the
 * lock on the account.
 */
export async function acceptEmailChange(
  transaction: Transaction,
  user: UserRow,
  token: SentToken,
  at: Date,
): Promise<EmailChangeStep> {
  const { new_email: newEmail } = user;
  await deleteCodes(transaction, user.id, [token.tokenType]);
  const left = user.email_change_awaits.filter((proof: Proof) => proof !== token.tokenType);
  if (left.length > 0) {
    await transaction.query({
      name: 'auth_email_change_awaits',
      text: 'update auth.users set email_change_awaits = $2 where id = $1',
      values: [user.id, left],
    });
    return 'waits-for-the-other';
  }
  if (newEmail === null) return 'taken';
  return (await changeEmail(transaction, user, newEmail, at)) ? 'changed' : 'taken';
}

/** Makes the address the account's proved address. Returns false where another account has proved it. */
export async function changeEmail(
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email'>,
  newEmail: string,
  at: Date,
): Promise<boolean> {
  if (!(await proveEmail(transaction, user.id, newEmail, at))) return false;
  // Codes and links to the previous address.
  await spendCodes(transaction, user.id);
  await transaction.query({
    name: 'auth_end_email_change',
    text: `with identity as (
               insert into auth.identities (user_id, provider, provider_id, identity_data)
                 values ($1::uuid, 'email', $1::uuid::text, $2) on conflict (provider, provider_id) do nothing
             )
             update auth.users set ${END_OF_EMAIL_CHANGE}, is_anonymous = false where id = $1`,
    values: [user.id, { sub: user.id, email: newEmail, email_verified: true }],
  });
  await noteProviders(transaction, user.id);
  await enqueueChangeNotice(transaction, { change: 'email_changed', userId: user.id, former: user.email });
  return true;
}
