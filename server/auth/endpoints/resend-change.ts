import type { Transaction } from '#server/postgres/statement.ts';
import { putPendingCodes } from '../accounts/email-change.ts';
import { beginPhoneChange } from '../accounts/phone-change.ts';
import { findUserByEmail, isBanned, lockUser, USER, type UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import {
  giveBackMessageAllowance,
  type MessageAllowance,
  type Sending,
  sendWithin,
  takeMessageAllowance,
} from '../codes/message-allowance.ts';
import { sendCode } from '../codes/send-code.ts';
import { bindsToProofKey, chooseRedirect } from '../wire/redirects.ts';

/** What is to be sent again, and for which address or number. */
export interface ResendRequest {
  readonly address: string;
  readonly challenge: string;
  readonly redirectTo: string | undefined;
  /** Hash of the requesting device's cookie; null where it sent none. */
  readonly deviceHash: Buffer | null;
  /** The client's network address. */
  readonly client: string;
}

/** Sends the unconfirmed messages of a pending email change again, to both addresses. */
export async function resendEmailChange(
  service: AuthService,
  { address, challenge, redirectTo, deviceHash: askedOn, client }: ResendRequest,
): Promise<Sending> {
  const { database, now, config } = service;
  const asked = await findUserOfChange(service.alone, { email: address, deviceHash: askedOn });
  if (asked === undefined || asked.new_email === null || isBanned(asked, now())) return null;
  // Limits are counted before the transaction: inside one, nothing may wait for a second connection.
  const redirect = chooseRedirect(config, redirectTo);
  const allowance = await takeAllowanceOfBoth(service, asked, {
    isBound: bindsToProofKey(redirect, challenge),
    client,
  });
  if (allowance === null) return null;
  return database.transactAsService(async (transaction) => {
    const user = await lockUser(transaction, asked.id);
    if (user === undefined || user.new_email !== asked.new_email) return null;
    const taken = user.new_email !== null && (await findUserByEmail(transaction, user.new_email)) !== undefined;
    const messages = await putPendingCodes(service, transaction, user, {
      redirect,
      challenge,
      taken,
      provedAt: null,
      askedOn,
    });
    return () =>
      sendWithin(service, allowance, () => Promise.all(messages.map((message) => sendCode(service, message))));
  });
}

/** Takes allowances for both messages or for neither. */
async function takeAllowanceOfBoth(
  service: AuthService,
  { id: userId, email, new_email: newEmail }: Pick<UserRow, 'id' | 'email' | 'new_email'>,
  common: { readonly isBound: boolean; readonly client: string },
): Promise<MessageAllowance | null> {
  const messages = [
    { recipient: newEmail, tokenType: 'email_change_new', isProved: false },
    { recipient: email, tokenType: 'email_change_current', isProved: true },
  ] as const;
  const taken: MessageAllowance[] = [];
  for (const { recipient, ...message } of messages) {
    if (recipient === null) continue;
    const way = { ...message, channel: 'email', account: recipient, userId, recipient, ...common } as const;
    const one = await takeMessageAllowance(service, way);
    if (one === null) {
      await giveBackMessageAllowance(service, taken.flat());
      return null;
    }
    taken.push(one.allowance);
  }
  return taken.flat();
}

/** Sends the code of a pending phone change again, to the new number. */
export async function resendPhoneChange(
  service: AuthService,
  { address, client, deviceHash }: ResendRequest,
): Promise<Sending> {
  const { database, now } = service;
  const asked = await findUserOfChange(service.alone, { phone: address, deviceHash });
  if (asked === undefined || asked.new_phone === null || isBanned(asked, now())) return null;
  const phone = `+${asked.new_phone}`;
  const message = { channel: 'sms', recipient: phone, tokenType: 'phone_change', isProved: false } as const;
  const taken = await takeMessageAllowance(service, { ...message, account: phone, userId: asked.id, client });
  if (taken === null) return null;
  return database.transactAsService(async (transaction) => {
    const user = await lockUser(transaction, asked.id);
    if (user === undefined || user.new_phone !== asked.new_phone) return null;
    const sms = await beginPhoneChange(service, transaction, { userId: user.id, phone, provedAt: null });
    return () => sendWithin(service, taken.allowance, () => sendCode(service, sms));
  });
}

interface ChangeQuery {
  readonly email?: string;
  readonly phone?: string;
  readonly deviceHash: Buffer | null;
}

/**
 * Returns the account with a pending change from or to the given address or number: one that knows the requesting
 * device, else the one that requested its change last.
 */
async function findUserOfChange(
  from: Transaction,
  { email, phone, deviceHash }: ChangeQuery,
): Promise<UserRow | undefined> {
  // One indexed condition for each column: `or` across columns would read the whole table.
  const { rows } = await from.query<UserRow>({
    name: 'auth_user_of_change',
    text: `select ${USER} from auth.users as account
             where account.id = any (array(
               select id from auth.users where deleted_at is null and new_email = $1
               union all
               select id from auth.users where deleted_at is null and email = $1
               union all
               select id from auth.users where deleted_at is null and new_phone = $2
               union all
               select id from auth.users where deleted_at is null and phone = $2
             )) and case when $1::text is null then account.new_phone else account.new_email end is not null
             order by internal.is_known_device(account.id, $3) desc,
               greatest(account.email_change_sent_at, account.phone_change_sent_at) desc nulls last
             limit 1`,
    values: [email ?? null, phone?.replace('+', '') ?? null, deviceHash],
  });
  return rows[0];
}
