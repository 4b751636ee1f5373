import type { Transaction } from '#server/postgres/statement.ts';
import type { Refusal } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { isKnownDevice } from './claim-queries.ts';
import { deleteCodes, type SentToken, spendCodes } from './code-queries.ts';
import { confirmPhone, forgetTypedDetails, tagAtRegistration } from './confirm-queries.ts';
import { acceptEmailChange, type EmailChangeStep } from './email-change.ts';
import { enqueueAccountMail } from './enqueue-account-mail.ts';
import { changePhone } from './phone-change.ts';
import { proveEmail } from './prove-email.ts';
import { isBanned, type UserRow } from './user-object.ts';
import { lockUser } from './user-queries.ts';

/** What comes of a right code or link: whoever has it may be signed in, or is told something, or is refused. */
export type Accepted =
  /** `provedAt` is set where the session is to be no younger than the one that asked for a change. */
  | { readonly outcome: 'signs-in'; readonly userId: string; readonly provedAt?: Date }
  | { readonly outcome: 'message'; readonly message: string }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/**
 * Spends a right code or link: it proves what it was sent to, and does what it was sent for. A link that adds an address
 * to an account counts only in a browser that the account knows: its reader may have been asked by a stranger.
 * `deviceHash` is what the database keeps of the device that shows it.
 */
export async function acceptToken(
  { now }: Pick<AuthService, 'now'>,
  transaction: Transaction,
  token: SentToken,
  deviceHash: Buffer | null,
): Promise<Accepted> {
  const user = await lockUser(transaction, token.userId);
  if (user === undefined) return { outcome: 'refused', refusal: 'codeRefused' };
  const at = new Date(now());
  if (isBanned(user, now())) {
    await spendCodes(transaction, user.id);
    return { outcome: 'refused', refusal: 'userBanned' };
  }
  // What an operator began is no stranger's: no session asked for it.
  const addsAddress =
    token.tokenType === 'address_proof' || (token.tokenType === 'email_change_new' && token.provedAt !== null);
  if (addsAddress && token.shownAs === 'link' && !(await isKnownDevice(transaction, user.id, deviceHash))) {
    return { outcome: 'refused', refusal: 'linkNeedsSession' };
  }
  const provedAt = token.provedAt ?? NEVER;
  switch (token.tokenType) {
    case 'email_change_current':
    case 'email_change_new':
      return answerStep(await acceptEmailChange(transaction, user, token, at), user.id, provedAt);
    case 'phone_change':
      await deleteCodes(transaction, user.id, ['phone_change']);
      return (await changePhone(transaction, user, token.recipient, at))
        ? { outcome: 'signs-in', userId: user.id, provedAt }
        : { outcome: 'refused', refusal: 'phoneExists' };
    case 'address_proof':
      return (await proveAddress(transaction, user, token, at))
        ? { outcome: 'message', message: 'Email address confirmed' }
        : { outcome: 'refused', refusal: 'hashRefused' };
    default:
      await spendCodes(transaction, user.id);
      return (await confirm(transaction, user, { token, at, deviceHash }))
        ? { outcome: 'signs-in', userId: user.id }
        : { outcome: 'refused', refusal: 'codeRefused' };
  }
}

/** Of a session whose change nobody signed in asked for, as where an operator made its link. */
const NEVER = new Date(0);

function answerStep(step: EmailChangeStep, userId: string, provedAt: Date): Accepted {
  switch (step) {
    case 'changed':
      return { outcome: 'signs-in', userId, provedAt };
    case 'taken':
      return { outcome: 'refused', refusal: 'emailExists' };
    case 'waits-for-the-other':
      return {
        outcome: 'message',
        message: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
      };
  }
}

interface Confirmation {
  readonly token: SentToken;
  readonly at: Date;
  readonly deviceHash: Buffer | null;
}

/**
 * The code proves what it was sent to. The first proof confirms the account, and so tags the code in its hand. Returns
 * false where another account has the address.
 */
async function confirm(transaction: Transaction, user: UserRow, confirmation: Confirmation): Promise<boolean> {
  const { token, at } = confirmation;
  if (token.channel === 'sms') await confirmPhone(transaction, user.id, token.recipient, at);
  else if (!(await proveEmail(transaction, user.id, token.recipient, at))) return false;
  if (user.confirmed_at !== null) return true;
  if (token.channel === 'sms' && user.claimed_email !== null) {
    await enqueueAccountMail(transaction, { kind: 'address_proof', userId: user.id });
  }
  if (!isOfReader(user, confirmation)) {
    await forgetTypedDetails(transaction, user.id, { keepsPhone: token.channel === 'sms' });
    return true;
  }
  const { qr_id: qrId } = user.raw_user_meta_data;
  if (typeof qrId === 'string') await tagAtRegistration(transaction, user.id, qrId);
  return true;
}

/**
 * Whether the reader of the message also typed the registration, as far as can be told. A code is typed into the form
 * of a registration. A link is followed by any reader of the message, so it tells only in the browser that registered.
 */
function isOfReader(user: UserRow, { token, deviceHash }: Confirmation): boolean {
  if (user.registrations > 1 || token.tokenType === 'recovery') return false;
  if (token.shownAs === 'code' || user.registered_on?.length === 0) return true;
  return user.registered_on !== null && deviceHash !== null && user.registered_on.equals(deviceHash);
}

/**
 * Proves the address of an account that its phone confirmed, which opens no session. Returns false where the account
 * claims another address by now, or another account has proved it.
 */
async function proveAddress(transaction: Transaction, user: UserRow, token: SentToken, at: Date): Promise<boolean> {
  await deleteCodes(transaction, user.id, ['address_proof', 'address_disowning']);
  return user.claimed_email === token.recipient && (await proveEmail(transaction, user.id, token.recipient, at));
}
