import type { Transaction } from '#server/postgres/statement.ts';
import type { AuthService } from './auth-service.ts';
import type { Redirect } from './choose-redirect.ts';
import { deleteCodes, type PendingCode, putCode, type SentToken } from './code-queries.ts';
import { enqueueAccountMail } from './enqueue-account-mail.ts';
import { bindsToProofKey } from './mail-link.ts';
import { noteProviders } from './oidc/identity-queries.ts';
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
}

/**
 * Notes the address that an account is to have, in place of an earlier wish, and returns the questions to send: to the
 * new address, and to the one that the account has where that was proved. The order of the answers does not matter.
 */
export async function beginEmailChange(
  service: AuthService,
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email' | 'email_confirmed_at'>,
  { newEmail, redirect, challenge, taken }: EmailChange,
): Promise<CodeMessage[]> {
  const asksCurrent = service.config.doubleConfirmEmailChange && user.email_confirmed_at !== null;
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
    { redirect, challenge, taken },
  );
}

/** Questions to whoever has not answered yet; the earlier ones are dead. */
export async function askAgain(
  service: AuthService,
  transaction: Transaction,
  user: Pick<UserRow, 'id' | 'email' | 'new_email' | 'email_change_awaits'>,
  { redirect, challenge, taken }: Omit<EmailChange, 'newEmail'>,
): Promise<CodeMessage[]> {
  const { id: userId, email, new_email: newAddress, email_change_awaits: awaits } = user;
  if (newAddress === null) return [];
  const messages: CodeMessage[] = [];
  for (const tokenType of PROOFS) {
    const recipient = tokenType === 'email_change_new' ? newAddress : email;
    if (!awaits.includes(tokenType) || recipient === null) continue;
    const bound = bindsToProofKey(redirect, challenge) ? challenge : null;
    const pending: PendingCode = { userId, tokenType, channel: 'email', recipient, challenge: bound };
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
  user: Pick<UserRow, 'id' | 'email' | 'email_confirmed_at'>,
  newEmail: string,
  at: Date,
): Promise<boolean> {
  if (!(await makeRoom(transaction, user.id, newEmail))) return false;
  await transaction.query({
    name: 'auth_change_email',
    text: `with identity as (
               insert into auth.identities (user_id, provider, provider_id, identity_data)
                 values ($1::uuid, 'email', $1::uuid::text, $4)
                 on conflict (provider, provider_id) do update
                   set identity_data = auth.identities.identity_data || excluded.identity_data, updated_at = $3
             ), proofs as (
               delete from auth.one_time_tokens
                 where user_id = $1 and token_type in ('address_proof', 'address_disowning')
             ), notices as (
               delete from internal.unproved_notices where user_id = $1
             )
             update auth.users set
               email = $2, email_confirmed_at = $3, new_email = null, email_change_sent_at = null,
               email_change_awaits = '{}', is_anonymous = false,
               raw_user_meta_data = raw_user_meta_data || '{"email_verified": true}' || jsonb_build_object('email', $2::text)
             where id = $1`,
    values: [user.id, newEmail, at, { sub: user.id, email: newEmail, email_verified: true }],
  });
  await noteProviders(transaction, user.id);
  if (user.email !== null && user.email_confirmed_at !== null) {
    await enqueueAccountMail(transaction, { kind: 'email_changed', userId: user.id, address: user.email });
  }
  return true;
}

/**
 * Whether nobody else has the address. A registration that nobody confirmed gives way to whoever has proved it. The
 * lock keeps two accounts from taking one address at the same moment.
 */
async function makeRoom(transaction: Transaction, userId: string, email: string): Promise<boolean> {
  await transaction.query({
    name: 'auth_lock_email',
    text: `select pg_advisory_xact_lock(hashtextextended('email:' || $1, 0))`,
    values: [email],
  });
  await transaction.query({
    name: 'auth_delete_unconfirmed_namesake',
    text: 'delete from auth.users where email = $2 and id <> $1 and confirmed_at is null and deleted_at is null',
    values: [userId, email],
  });
  const { rowCount } = await transaction.query({
    name: 'auth_email_namesake',
    text: 'select from auth.users where email = $2 and id <> $1 and deleted_at is null',
    values: [userId, email],
  });
  return rowCount === 0;
}
