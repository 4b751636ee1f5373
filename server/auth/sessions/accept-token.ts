import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { acceptEmailChange, type EmailChangeStep } from '../accounts/email-change.ts';
import { enqueueAccountMail } from '../accounts/enqueue-account-mail.ts';
import { changePhone } from '../accounts/phone-change.ts';
import { clearTypedDetails, confirmPhone, proveEmail, tagAtRegistration } from '../accounts/prove-identifier.ts';
import { deleteOtherRegistrations } from '../accounts/register-account.ts';
import { settleRegistration } from '../accounts/settle-registration.ts';
import { isBanned, lockUser, type UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { BY_NO_SESSION, deleteCodes } from '../codes/one-time-code.ts';
import type { SentToken } from '../codes/redeem-code.ts';
import { endPendingChanges, spendCodes } from '../codes/spend-codes.ts';
import type { Refusal } from '../wire/auth-error.ts';
import { deviceHashOf } from './device-cookies.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { findSessionOwner } from './session-queries.ts';

/** The result of a valid code or link: a session, a message, or a refusal. */
export type Accepted =
  /** `provedAt` is set where the session inherits the proof of the session that requested a change. */
  | { readonly outcome: 'signs-in'; readonly userId: string; readonly provedAt?: Date }
  | { readonly outcome: 'message'; readonly message: string }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** What a request to verify a code or link says about its client. */
export interface VerifyingClient {
  /** Hash of the device's cookie; null where the request has none. */
  readonly deviceHash: Buffer | null;
  /** The session whose token the request carries; null without one. */
  readonly sessionId: string | null;
}

/**
 * Spends a valid code or link: proves its recipient and performs what it was sent for.
 *
 * A link that adds an address to an account works only for a client that belongs to the account (`mayAddAddress`),
 * because an attacker could have requested it and sent it to its reader.
 */
export async function acceptToken(
  service: Pick<AuthService, 'now'>,
  transaction: Transaction,
  token: SentToken,
  client: VerifyingClient,
): Promise<Accepted> {
  const { now } = service;
  const user = await lockUser(transaction, token.userId);
  if (user === undefined) return { outcome: 'refused', refusal: 'codeRefused' };
  const at = new Date(now());
  if (isBanned(user, now())) {
    await spendCodes(transaction, user.id);
    return { outcome: 'refused', refusal: 'userBanned' };
  }
  const provedAt = token.provedAt ?? BY_NO_SESSION;
  // Only changes that are known to be begun by an operator are exempt.
  const isByOperator = token.provedAt?.getTime() === BY_NO_SESSION.getTime();
  const addsAddress = token.tokenType === 'address_proof' || (token.tokenType === 'email_change_new' && !isByOperator);
  if (addsAddress && token.shownAs === 'link' && !(await mayAddAddress(transaction, token, client, at))) {
    return { outcome: 'refused', refusal: 'linkNeedsSession' };
  }
  switch (token.tokenType) {
    case 'email_change_current':
    case 'email_change_new':
      return respondToStep(await acceptEmailChange(transaction, user, token, at), user.id, provedAt);
    case 'phone_change':
      await deleteCodes(transaction, user.id, ['phone_change']);
      return (await changePhone(transaction, user, token.recipient, at))
        ? { outcome: 'signs-in', userId: user.id, provedAt }
        : { outcome: 'refused', refusal: 'phoneExists' };
    case 'address_proof':
      return (await proveAddress(transaction, user, token, at))
        ? { outcome: 'message', message: 'Email address confirmed' }
        : { outcome: 'refused', refusal: 'hashRefused' };
    case 'confirmation':
    case 'invite':
    case 'sign_in':
    case 'recovery':
      await spendCodes(transaction, user.id);
      if (token.tokenType === 'recovery') await endPendingChanges(transaction, user.id);
      return user.confirmed_at === null
        ? confirm(service, transaction, user, { token, at, deviceHash: client.deviceHash })
        : respondToProof(await prove(transaction, user.id, token, at), user.id);
    // Each has an endpoint of its own, which opens no session.
    case 'reauthentication':
    case 'address_disowning':
      return { outcome: 'refused', refusal: 'codeRefused' };
  }
}

/**
 * Whether the client may add the link's address to its account: it is the browser that began the change or registered
 * the address, or it acts in a session of the account.
 *
 * That sessions of the account once began in the browser is not enough. A stranger can lead any browser into a session of
 * their account, by a link.
 */
async function mayAddAddress(
  transaction: Transaction,
  { userId, begunOn }: SentToken,
  { deviceHash, sessionId }: VerifyingClient,
  at: Date,
): Promise<boolean> {
  if (begunOn !== null && deviceHash?.equals(begunOn)) return true;
  return sessionId !== null && (await findSessionOwner(transaction, sessionId, at))?.user_id === userId;
}

function respondToStep(step: EmailChangeStep, userId: string, provedAt: Date): Accepted {
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

/** Marks the recipient as proved. Returns false where another account has the address. */
async function prove(transaction: Transaction, userId: string, token: SentToken, at: Date): Promise<boolean> {
  if (token.channel === 'email') return proveEmail(transaction, userId, token.recipient, at);
  await confirmPhone(transaction, userId, token.recipient, at);
  return true;
}

function respondToProof(proved: boolean, userId: string): Accepted {
  return proved ? { outcome: 'signs-in', userId } : { outcome: 'refused', refusal: 'codeRefused' };
}

/**
 * The first proof confirms the account that `settleRegistration` chooses, and tags the code it was registered with. The
 * other registrations that waited for the recipient are deleted.
 */
async function confirm(
  { now }: Pick<AuthService, 'now'>,
  transaction: Transaction,
  sentFor: UserRow,
  { token, at, deviceHash }: Confirmation,
): Promise<Accepted> {
  const { channel, recipient } = token;
  const isEntered = token.shownAs === 'code' && token.tokenType !== 'recovery';
  const { user, isOfReader } = await settleRegistration(transaction, sentFor, { deviceHash, isEntered });
  if (user.id !== sentFor.id) await spendCodes(transaction, user.id);
  if (isBanned(user, now())) return { outcome: 'refused', refusal: 'userBanned' };
  if (!(await prove(transaction, user.id, token, at))) return respondToProof(false, user.id);
  const { claimed_email: email } = user;
  if (channel === 'sms' && email !== null) {
    await deleteOtherRegistrations(transaction, { id: user.id, email, phone: recipient });
    await enqueueAccountMail(transaction, { kind: 'address_proof', userId: user.id });
  }
  const { qr_id: qrId } = user.raw_user_meta_data;
  if (!isOfReader) await clearTypedDetails(transaction, user.id, { keepsPhone: channel === 'sms' });
  else if (typeof qrId === 'string') await tagAtRegistration(transaction, user.id, qrId);
  return respondToProof(true, user.id);
}

/**
 * Proves the address of an account that was confirmed by phone. Opens no session. Returns false where the account now
 * claims a different address, or another account has proved this one.
 */
async function proveAddress(transaction: Transaction, user: UserRow, token: SentToken, at: Date): Promise<boolean> {
  await deleteCodes(transaction, user.id, ['address_proof', 'address_disowning']);
  return user.claimed_email === token.recipient && (await proveEmail(transaction, user.id, token.recipient, at));
}

/** A refusal is a value and not an exception: what was counted or spent must commit. */
export type Verified =
  | { readonly outcome: 'session'; readonly user: UserRow; readonly opened: OpenedSession }
  | { readonly outcome: 'message'; readonly message: string }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/**
 * Spends a valid code or link and opens its session. The account knows the device from now on, except where a followed
 * link (GET) opens the session in a browser that did not request it: any site can lead a browser to a link of its own.
 */
export async function finishVerification(
  service: AuthService,
  c: Context<AppEnv>,
  transaction: Transaction,
  token: SentToken,
  sessionId: string | null = null,
): Promise<Verified> {
  const deviceHash = deviceHashOf(service, c);
  const accepted = await acceptToken(service, transaction, token, { deviceHash, sessionId });
  if (accepted.outcome !== 'signs-in') return accepted;
  const { userId, provedAt = null } = accepted;
  const begun = await openSession(service, transaction, {
    userId,
    method: 'otp',
    c,
    provedAt,
    remembersDevice: c.req.method !== 'GET' || (deviceHash !== null && (token.askedOn?.equals(deviceHash) ?? false)),
  });
  return begun === undefined ? { outcome: 'refused', refusal: 'codeRefused' } : { outcome: 'session', ...begun };
}
