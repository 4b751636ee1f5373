import type { Context } from 'hono';
import * as v from 'valibot';
import { normalizeAddress } from '#server/delivery/email/email-address.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { beginEmailChange, changeEmail } from '../accounts/email-change.ts';
import { enqueueChangeNotice } from '../accounts/enqueue-account-mail.ts';
import { requireAcceptableAddress, requirePhoneDigits, typedDigits } from '../accounts/identifier.ts';
import { mergeMetadata, readMetadata } from '../accounts/metadata.ts';
import { requireAcceptablePassword, saltOfAccount, turnOfAccount } from '../accounts/passwords.ts';
import { beginPhoneChange, changePhone } from '../accounts/phone-change.ts';
import type { AccountDetails } from '../accounts/register-account.ts';
import { findUser, findUserByEmail, shownEmail, toUserObject, type UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { giveBackAccountAllowance, takeAccountAllowance, takeOrRefuse } from '../codes/code-allowance.ts';
import { type CodeMessage, type Destination, sendOrRefuse } from '../codes/send-code.ts';
import { requireRecipientAllowance, requireTextable } from '../codes/sms-allowance.ts';
import { dropPendingChanges, spendCodes } from '../codes/spend-codes.ts';
import { deviceHashOf, markRequester } from '../sessions/device-cookies.ts';
import { requireRecentProof } from '../sessions/require-recent-proof.ts';
import { lockAccountOf, requireFinishedSession } from '../sessions/require-session.ts';
import { deleteSessions } from '../sessions/session-queries.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseRedirect } from '../wire/redirects.ts';
import { challenge, data, readBody, requireChannel, requireWellFormedChallenge, text } from '../wire/request-body.ts';

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
 * `PUT /user`: changes metadata, password, address or number.
 *
 * A new password ends all other sessions and cancels the changes they began. A new address or number takes effect once
 * its owner confirms it.
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
  if (newEmail !== null && !service.config.hasMail && !believesAddressOf(service, user)) throw new AuthError('mailOff');
  const newPhone = readNewPhone(service, user, body.phone);
  const given = { currentPassword: body.current_password, nonce: body.nonce };
  const isProving = given.currentPassword !== '' || given.nonce !== '';
  if (body.password !== '') requireAcceptablePassword(service.config, body.password);
  // The current password and the check for an unchanged password both reveal whether a guess was right, so both are
  // limited.
  if (body.password !== '' || isProving) await takeOrRefuse(service, 'password_changes_per_session', sessionId);
  if (body.password !== '') await requireRecentProof(service, signedIn, given, 'reauthenticationNeeded');
  // The client sends a proof alone before calling other endpoints, which accept no proof themselves.
  else if (isProving) await requireRecentProof(service, signedIn, given);
  const { provedAt } =
    newEmail !== null || newPhone !== null ? await requireRecentProof(service, signedIn) : { provedAt: null };
  const passwordHash = body.password === '' ? null : await hashNewPassword(service, user, body.password);
  // Every change counts, also one that takes effect at once: its refusal reveals that another account has the address.
  if (newEmail !== null || newPhone !== null) {
    await takeOrRefuse(service, 'auth_requests_per_address', `${c.get('clientAddress')} codes`);
    markRequester(service, c, newEmail ?? `+${newPhone}`);
  }
  const client = c.get('clientAddress');
  const heldBack = new Set<string>();
  if (newEmail !== null && !believesAddressOf(service, user)) {
    const message = { channel: 'email', recipient: newEmail, client } as const;
    if (!(await takeAllowance(service, user, message))) heldBack.add(newEmail);
  }
  if (newPhone !== null && !service.config.phoneAutoconfirm) {
    const message = { channel: 'sms', recipient: newPhone, client } as const;
    if (!(await takeAllowance(service, user, message))) heldBack.add(newPhone);
  }
  const isTaken = newEmail !== null && (await isEmailTaken(service.alone, newEmail));

  const messages: CodeMessage[] = [];
  const changed = await service.database.transactAsService(async (transaction) => {
    // The session may have ended while a password was hashed.
    const current = await lockAccountOf(service, transaction, signedIn);
    const merged = mergeMetadata(current.raw_user_meta_data, metadata);
    await updateUser(transaction, { id: user.id, passwordHash, metadata: merged });
    if (passwordHash !== null) {
      await deleteSessions(transaction, user.id, sessionId);
      await spendCodes(transaction, user.id);
      // One of the ended sessions may have begun a change whose code would open a session again.
      await dropPendingChanges(transaction, user.id);
      await enqueueChangeNotice(transaction, { change: 'password_changed', userId: user.id, sessionId });
    }
    if (newEmail !== null && believesAddressOf(service, current)) {
      const isFree = await changeEmail(transaction, current, newEmail, new Date(service.now()));
      if (!isFree) throw new AuthError('emailExists');
    } else if (newEmail !== null) {
      const redirect = chooseRedirect(service.config, c.req.query('redirect_to'));
      const device = deviceHashOf(service, c);
      const question = { redirect, challenge: body.code_challenge, taken: isTaken, provedAt };
      const change = { newEmail, ...question, askedOn: device, begunOn: device };
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
  await sendOrRefuse(
    service,
    messages.filter(({ pending }) => !heldBack.has(pending.recipient)),
  );
  return c.json(toUserObject(changed));
}

/** Null where the address is unchanged: a form that submits all its fields sends it as it is. */
function readNewEmail({ config }: AuthService, user: UserRow, email: string): string | null {
  if (email === '' || normalizeAddress(email) === shownEmail(user)) return null;
  return requireAcceptableAddress(email, config.emailDomainDenylist);
}

function readNewPhone({ config, delivery }: AuthService, user: UserRow, phone: string): string | null {
  if (phone === '' || typedDigits(phone) === user.phone) return null;
  const number = requirePhoneDigits(phone);
  if (config.phoneAutoconfirm) return number;
  if (!delivery.hasSms) throw new AuthError('phoneOtpsOff');
  requireTextable({ config }, number);
  return number;
}

/**
 * Whether a new address is trusted without proof. Only for the first address of an anonymous account, which equals a
 * sign-up with it; any other address must be proved.
 */
function believesAddressOf({ config }: AuthService, user: UserRow): boolean {
  return user.is_anonymous && config.emailAutoconfirm && !config.hideAccountExistence;
}

/** Whether another account has the address. Only the mail to that address says so, never the response. */
async function isEmailTaken(alone: AuthService['alone'], email: string): Promise<boolean> {
  return (await findUserByEmail(alone, email)) !== undefined;
}

/** Returns whether to send the message: see `requireRecipientAllowance`. */
async function takeAllowance(
  service: AuthService,
  user: UserRow,
  message: Destination & { readonly client: string },
): Promise<boolean> {
  await takeAccountAllowance(service, user.id, message.channel);
  try {
    return await requireRecipientAllowance(service, { ...message, isProved: false });
  } catch (refusal) {
    // Nothing was sent: another address or number may be tried at once.
    await giveBackAccountAllowance(service, user.id, message.channel);
    throw refusal;
  }
}

async function hashNewPassword(service: AuthService, user: UserRow, password: string): Promise<string> {
  const { encrypted_password: current } = user;
  const { passwords } = service;
  const turn = turnOfAccount(user.id);
  if (current !== null && (await passwords.matches(password, current, turn))) throw new AuthError('passwordSame');
  return passwords.hash(password, turn, await saltOfAccount(service, user));
}

/** Sets the metadata, and the password where a hash is given. */
async function updateUser(
  transaction: Transaction,
  { id, passwordHash, metadata }: Pick<AccountDetails, 'id' | 'passwordHash' | 'metadata'>,
): Promise<void> {
  await transaction.query({
    name: 'auth_update_user',
    text: `update auth.users
             set encrypted_password = coalesce($2, encrypted_password), raw_user_meta_data = $3,
               raw_app_meta_data = case
                 when $2 is null then raw_app_meta_data
                 else raw_app_meta_data - 'password_needed'
               end
             where id = $1`,
    values: [id, passwordHash, metadata],
  });
}
