import type { Transaction } from '#server/postgres/statement.ts';
import type { Refusal } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { deleteCodes, type SentToken, spendCodes } from './code-queries.ts';
import {
  confirmEmail,
  confirmPhone,
  forgetTypedDetails,
  forgetUnprovedNotices,
  tagAtRegistration,
} from './confirm-queries.ts';
import { acceptEmailChange, type EmailChangeStep } from './email-change.ts';
import { enqueueAccountMail } from './enqueue-account-mail.ts';
import { changePhone } from './phone-change.ts';
import { isBanned, type UserRow } from './user-object.ts';
import { lockUser } from './user-queries.ts';

/** What comes of a right code or link: whoever has it may be signed in, or is told something, or is refused. */
export type Accepted =
  | { readonly outcome: 'signs-in'; readonly userId: string }
  | { readonly outcome: 'message'; readonly message: string }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** Spends a right code or link: it proves what it was sent to, and does what it was sent for. */
export async function acceptToken(
  { now }: Pick<AuthService, 'now'>,
  transaction: Transaction,
  token: SentToken,
): Promise<Accepted> {
  const user = await lockUser(transaction, token.userId);
  if (user === undefined) return { outcome: 'refused', refusal: 'codeRefused' };
  const at = new Date(now());
  if (isBanned(user, now())) {
    await spendCodes(transaction, user.id);
    return { outcome: 'refused', refusal: 'userBanned' };
  }
  switch (token.tokenType) {
    case 'email_change_current':
    case 'email_change_new':
      return answerStep(await acceptEmailChange(transaction, user, token, at), user.id);
    case 'phone_change':
      await deleteCodes(transaction, user.id, ['phone_change']);
      return (await changePhone(transaction, user, token.recipient, at))
        ? { outcome: 'signs-in', userId: user.id }
        : { outcome: 'refused', refusal: 'phoneExists' };
    case 'address_proof':
      return (await proveAddress(transaction, user, token, at))
        ? { outcome: 'message', message: 'Email address confirmed' }
        : { outcome: 'refused', refusal: 'hashRefused' };
    default:
      await spendCodes(transaction, user.id);
      await confirm(transaction, user, token, at);
      return { outcome: 'signs-in', userId: user.id };
  }
}

function answerStep(step: EmailChangeStep, userId: string): Accepted {
  switch (step) {
    case 'changed':
      return { outcome: 'signs-in', userId };
    case 'taken':
      return { outcome: 'refused', refusal: 'emailExists' };
    case 'waits-for-the-other':
      return {
        outcome: 'message',
        message: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
      };
  }
}

/** The code proves what it was sent to. The first proof confirms the account, and so tags the code in its hand. */
async function confirm(transaction: Transaction, user: UserRow, token: SentToken, at: Date): Promise<void> {
  if (token.channel === 'sms') await confirmPhone(transaction, user.id, token.recipient, at);
  else await confirmEmail(transaction, user.id, at);
  if (user.confirmed_at !== null) return;
  if (token.channel === 'sms' && user.email !== null) {
    await enqueueAccountMail(transaction, { kind: 'address_proof', userId: user.id });
  }
  // Whoever reads the message need not be whoever typed the rest: see docs/decisions/0014.
  if (user.registrations > 1 || token.tokenType === 'recovery') {
    await forgetTypedDetails(transaction, user.id, { keepsPhone: token.channel === 'sms' });
    return;
  }
  const { qr_id: qrId } = user.raw_user_meta_data;
  if (typeof qrId === 'string') await tagAtRegistration(transaction, user.id, qrId);
}

/**
 * The address of an account that its phone confirmed is proved by whoever reads it, which opens nothing: a mistyped
 * address is somebody else's, who is not to come in. Returns false where the account has another address by now.
 */
async function proveAddress(transaction: Transaction, user: UserRow, token: SentToken, at: Date): Promise<boolean> {
  await deleteCodes(transaction, user.id, ['address_proof', 'address_disowning']);
  if (user.email !== token.recipient) return false;
  await confirmEmail(transaction, user.id, at);
  await forgetUnprovedNotices(transaction, user.id);
  return true;
}
