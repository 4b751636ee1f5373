import type { Transaction } from '#server/postgres/statement.ts';
import type { AuthService } from './auth-service.ts';
import type { Redirect } from './choose-redirect.ts';
import { deleteCodes, type PendingCode, putCode, type SentToken } from './code-queries.ts';
import { enqueueAccountMail } from './enqueue-account-mail.ts';
import { bindsToProofKey } from './mail-link.ts';
import { noteProviders } from './oidc/identity-queries.ts';
import { proveEmail } from './prove-email.ts';
import type { CodeMessage } from './send-code.ts';
import type { UserRow } from './user-object.ts';

const PROOFS = ['email_change_current', 'email_change_new'] as const;
type Proof = (typeof PROOFS)[number];

export interface EmailChange {
  readonly newEmail: string;
  readonly redirect: Redirect;
  readonly challenge: string;
  /** Another account has the address. Its reader is told so, and nothing else differs. */
  readonly taken: boolean;
  /** When the holder of the session that asks proved who they are; null for a session that is not known. */
  readonly provedAt: Date | null;
}

/**
 * Notes the address that an account is to have, in place of an earlier wish, and returns the questions to send: to the
 * new address, and to the one that the account has where that was proved. The order of the answers does not matter.
 */
export async function beginEmailChange(
  service: AuthService,
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email'>,
  { newEmail, redirect, challenge, taken, provedAt }: EmailChange,
): Promise<CodeMessage[]> {
  const asksCurrent = service.config.doubleConfirmEmailChange && user.email !== null;
  const awaits = PROOFS.filter((proof) => proof === 'email_change_new' || asksCurrent);
  await deleteCodes(transaction, user.id, PROOFS);
  await transaction.query({
    name: 'auth_begin_email_change',
    text: `update auth.users set new_email = $2, email_change_awaits = $3, email_change_sent_at = $4 where id = $1`,
    values: [user.id, newEmail, awaits, new Date(service.now())],
  });
  return askAgain(
    service,
    transaction,
    { ...user, new_email: newEmail, email_change_awaits: awaits },
    { redirect, challenge, taken, provedAt },
  );
}

/** Questions to whoever has not answered yet; the earlier ones are dead. */
export async function askAgain(
  service: AuthService,
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email' | 'new_email' | 'email_change_awaits'>,
  { redirect, challenge, taken, provedAt }: Omit<EmailChange, 'newEmail'>,
): Promise<CodeMessage[]> {
  const { id: userId, email, new_email: newAddress, email_change_awaits: awaits } = user;
  if (newAddress === null) return [];
  const messages: CodeMessage[] = [];
  for (const tokenType of PROOFS) {
    const recipient = tokenType === 'email_change_new' ? newAddress : email;
    if (!awaits.includes(tokenType) || recipient === null) continue;
    const bound = bindsToProofKey(redirect, challenge) ? challenge : null;
    const pending: PendingCode = { userId, tokenType, channel: 'email', recipient, challenge: bound, provedAt };
    const secrets = await putCode(service, transaction, pending);
    messages.push({ pending, redirect, newAddress, secrets, taken: taken && tokenType === 'email_change_new' });
  }
  return messages;
}

export type EmailChangeStep = 'waits-for-the-other' | 'changed' | 'taken';

/** One of the addresses has agreed. Once all have, the account has the new one. Call it with the account locked. */
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

/** The account has the address from now on, as one that is proved. Returns false where another account has it. */
export async function changeEmail(
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email'>,
  newEmail: string,
  at: Date,
): Promise<boolean> {
  if (!(await proveEmail(transaction, user.id, newEmail, at))) return false;
  await transaction.query({
    name: 'auth_end_email_change',
    text: `with identity as (
               insert into auth.identities (user_id, provider, provider_id, identity_data)
                 values ($1::uuid, 'email', $1::uuid::text, $2) on conflict (provider, provider_id) do nothing
             )
             update auth.users set
               new_email = null, email_change_sent_at = null, email_change_awaits = '{}', is_anonymous = false
             where id = $1`,
    values: [user.id, { sub: user.id, email: newEmail, email_verified: true }],
  });
  await noteProviders(transaction, user.id);
  if (user.email !== null) {
    await enqueueAccountMail(transaction, { kind: 'email_changed', userId: user.id, address: user.email });
  }
  return true;
}
