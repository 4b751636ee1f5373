import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { saltOfAddress } from './address-salt.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { takeAccountAllowance, takeOrRefuse } from './code-allowance.ts';
import { dropPendingChanges, spendCodes } from './code-queries.ts';
import { normalizeAddress, requireAcceptableAddress } from './email-address.ts';
import { beginEmailChange, changeEmail } from './email-change.ts';
import { enqueueAccountMail } from './enqueue-account-mail.ts';
import { requireRecipientAllowance } from './message-allowance.ts';
import { requireAcceptablePassword } from './password-rules.ts';
import { beginPhoneChange, changePhone } from './phone-change.ts';
import { requirePhoneDigits } from './phone-number.ts';
import { readBody } from './read-body.ts';
import { requireProofForPassword, requireRecentProof } from './require-recent-proof.ts';
import { requireFinishedSession } from './require-session.ts';
import type { CodeMessage } from './send-code.ts';
import { sendOrRefuse } from './send-or-refuse.ts';
import { deleteSessions } from './session-queries.ts';
import { mergeMetadata, readMetadata } from './sign-up-data.ts';
import { requireTextable } from './sms-allowance.ts';
import { shownEmail, toUserObject, type UserRow } from './user-object.ts';
import { findUser, findUserByEmail, lockUser, updateUser } from './user-queries.ts';
import { challenge, data, requireChannel, requireWellFormedChallenge, text } from './wire-fields.ts';

const changeBody = v.object({
  email: text,
  phone: text,
  channel: text,
  password: text,
  current_password: text,
  nonce: text,
  data,
  app_metadata: v.nullish(v.unknown()),
  ...challenge,
});

/**
 * `PUT /user`: other metadata, another password, another address or number. A new password signs out every other
 * session and ends what they began; a new address or number is noted, and is the account's once whoever reads it has said so.
 */
export async function changeUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const signedIn = await requireFinishedSession(service, c);
  const { user, sessionId } = signedIn;
  const body = await readBody(c, changeBody);
  if (body.app_metadata != null) throw new AuthError('appMetadataNotYours');
  requireChannel(body.channel, body.phone);
  requireWellFormedChallenge(body);
  const metadata = readMetadata(body.data);
  const newEmail = readNewEmail(service, user, body.email);
  const newPhone = readNewPhone(service, user, body.phone);
  const given = { currentPassword: body.current_password, nonce: body.nonce };
  const isProving = given.currentPassword !== '' || given.nonce !== '';
  if (body.password !== '') requireAcceptablePassword(service.config, body.password);
  // Both the current password and "the same as before" say whether a guess at the password was right.
  if (body.password !== '' || isProving) await takeOrRefuse(service, 'password_changes_per_session', sessionId);
  if (body.password !== '') await requireProofForPassword(service, signedIn, given);
  // A proof alone is what the other endpoints, which take none, are asked with afterwards.
  else if (isProving) await requireRecentProof(service, signedIn, given);
  const { provedAt } =
    newEmail !== null || newPhone !== null ? await requireRecentProof(service, signedIn) : { provedAt: null };
  const passwordHash = body.password === '' ? null : await hashNewPassword(service, user, body.password);
  // Every change counts, the one that is made at once too: its refusal tells that another account has the address.
  if (newEmail !== null || newPhone !== null) {
    await takeOrRefuse(service, 'code_requests_per_address', c.get('clientAddress'));
  }
  if (newEmail !== null && !believesAddressOf(service, user)) await takeAllowance(service, user, newEmail, 'email');
  if (newPhone !== null && !service.config.phoneAutoconfirm) await takeAllowance(service, user, newPhone, 'sms');
  const isTaken = newEmail !== null && (await isEmailTaken(service.alone, newEmail));

  const messages: CodeMessage[] = [];
  const changed = await service.database.transactAsService(async (transaction) => {
    const current = await lockUser(transaction, user.id);
    if (current === undefined) throw new AuthError('userGone');
    const merged = mergeMetadata(current.raw_user_meta_data, metadata);
    await updateUser(transaction, { id: user.id, passwordHash, metadata: merged });
    if (passwordHash !== null) {
      await deleteSessions(transaction, user.id, sessionId);
      await spendCodes(transaction, user.id);
      // Whoever held one of those sessions may have begun a change, whose code would let them in again.
      await dropPendingChanges(transaction, user.id);
      await enqueueAccountMail(transaction, { kind: 'password_changed', userId: user.id });
    }
    if (newEmail !== null && believesAddressOf(service, current)) {
      const isFree = await changeEmail(transaction, current, newEmail, new Date(service.now()));
      if (!isFree) throw new AuthError('emailExists');
    } else if (newEmail !== null) {
      const redirect = chooseRedirect(service.config, c.req.query('redirect_to'));
      const change = { newEmail, redirect, challenge: body.code_challenge, taken: isTaken, provedAt };
      messages.push(...(await beginEmailChange(service, transaction, current, change)));
    }
    if (newPhone !== null && service.config.phoneAutoconfirm) {
      const isFree = await changePhone(transaction, current, newPhone, new Date(service.now()));
      if (!isFree) throw new AuthError('phoneExists');
    } else if (newPhone !== null) {
      messages.push(await beginPhoneChange(service, transaction, { userId: user.id, phone: newPhone, provedAt }));
    }
    return findUser(transaction, user.id);
  });
  if (changed === undefined) throw new AuthError('userGone');
  await sendOrRefuse(service, messages);
  return c.json(toUserObject(changed));
}

/** Null where there is no other address: a form that sends everything it shows sends the address as it is. */
function readNewEmail({ config }: AuthService, user: UserRow, email: string): string | null {
  if (email === '' || normalizeAddress(email) === shownEmail(user)) return null;
  return requireAcceptableAddress(email, config.emailDomainDenylist);
}

function readNewPhone({ config, delivery }: AuthService, user: UserRow, phone: string): string | null {
  if (phone === '' || phone.replace(/[+\s]/g, '') === user.phone) return null;
  const number = requirePhoneDigits(phone);
  if (config.phoneAutoconfirm) return number;
  if (!delivery.hasSms) throw new AuthError('phoneOtpsOff');
  requireTextable({ config }, number);
  return number;
}

/** The first address of an anonymous account is what a sign-up with it would be. Anybody else's has to be proved. */
function believesAddressOf({ config }: AuthService, user: UserRow): boolean {
  return user.is_anonymous && config.emailAutoconfirm && !config.hideAccountExistence;
}

/** Whether another account has the address. The caller is not told: the reader of the address is. */
async function isEmailTaken(alone: AuthService['alone'], email: string): Promise<boolean> {
  return (await findUserByEmail(alone, email)) !== undefined;
}

async function takeAllowance(
  service: AuthService,
  user: UserRow,
  recipient: string,
  channel: 'email' | 'sms',
): Promise<void> {
  await takeAccountAllowance(service, user.id, channel);
  await requireRecipientAllowance(service, { channel, recipient, isProved: false });
}

async function hashNewPassword(service: AuthService, user: UserRow, password: string): Promise<string> {
  const { encrypted_password: current, claimed_email: claimed } = user;
  const { passwords } = service;
  if (current !== null && (await passwords.matches(password, current))) throw new AuthError('passwordSame');
  return passwords.hash(password, claimed === null ? undefined : await saltOfAddress(service, claimed));
}
