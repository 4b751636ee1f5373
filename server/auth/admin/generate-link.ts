import type { Context } from 'hono';
import * as v from 'valibot';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { chooseRedirect, type Redirect } from '#server/auth/choose-redirect.ts';
import { lockPendingRegistration } from '#server/auth/claim-queries.ts';
import { type PendingCode, putCode } from '#server/auth/code-queries.ts';
import { requireAcceptableAddress } from '#server/auth/email-address.ts';
import { beginEmailChange } from '#server/auth/email-change.ts';
import type { TokenType } from '#server/auth/one-time-code.ts';
import { requireAcceptablePassword } from '#server/auth/password-rules.ts';
import { readBody } from '#server/auth/read-body.ts';
import { BY_OPERATOR, registerAccount } from '#server/auth/register-account.ts';
import { type Metadata, readMetadata } from '#server/auth/sign-up-data.ts';
import { toUserObject, type UserRow } from '#server/auth/user-object.ts';
import { findUser, findUserByEmail, lockUserByEmail } from '#server/auth/user-queries.ts';
import { data, text } from '#server/auth/wire-fields.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { actAsOperator } from './act-as-operator.ts';

const linkTypes = ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'] as const;
type LinkType = (typeof linkTypes)[number];

const linkBody = v.object({ type: text, email: text, new_email: text, password: text, data, redirect_to: text });

interface LinkWish {
  readonly type: LinkType;
  readonly email: string;
  readonly newEmail: string | null;
  readonly passwordHash: string | null;
  readonly metadata: Metadata;
  readonly redirect: Redirect;
}

/**
 * `POST /admin/generate_link`: a code and a link as they would be sent, and nothing is sent. Whoever gets them from
 * the operator proves the address by using them.
 */
export async function generateLink(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const wish = await readWish(service, c);
  const { pending, secrets, user } = await actAsOperator(service, async (transaction) => {
    const pending = await choosePending(service, transaction, wish);
    const secrets = await putCode(service, transaction, pending);
    return { pending, secrets, user: await findUser(transaction, pending.userId) };
  });
  if (user === undefined) throw new AuthError('userNotFound');
  const type = verificationType(pending.tokenType);
  const query = new URLSearchParams({ token: secrets.link, type, redirect_to: wish.redirect.url });
  return c.json({
    ...toUserObject(user),
    action_link: `${service.config.publicUrl}/auth/v1/verify?${query}`,
    email_otp: secrets.code,
    hashed_token: secrets.link,
    redirect_to: wish.redirect.url,
    verification_type: pending.tokenType === 'confirmation' ? 'signup' : wish.type,
  });
}

async function readWish(service: AuthService, c: Context<AppEnv>): Promise<LinkWish> {
  const { config, passwords } = service;
  const body = await readBody(c, linkBody);
  const type = linkTypes.find((one) => one === body.type);
  if (type === undefined) throw new AuthError('linkTypeUnknown');
  const email = requireAcceptableAddress(body.email, config.emailDomainDenylist);
  const metadata = readMetadata(body.data);
  if (type === 'signup') {
    if (body.password === '') throw new AuthError('passwordMissing');
    requireAcceptablePassword(service.config, body.password);
  }
  const changes = type === 'email_change_current' || type === 'email_change_new';
  return {
    type,
    email,
    newEmail: changes ? requireAcceptableAddress(body.new_email, config.emailDomainDenylist) : null,
    passwordHash: type === 'signup' ? await passwords.hash(body.password) : null,
    metadata,
    redirect: chooseRedirect(config, c.req.query('redirect_to') ?? (body.redirect_to || undefined)),
  };
}

async function choosePending(service: AuthService, transaction: Transaction, wish: LinkWish): Promise<PendingCode> {
  switch (wish.type) {
    case 'signup':
      return register(transaction, wish, 'confirmation');
    case 'invite':
      return register(transaction, wish, 'invite');
    case 'magiclink': {
      const user = await lockUserByEmail(transaction, wish.email);
      return user === undefined ? register(transaction, wish, 'confirmation') : byEmail(user.id, 'sign_in', wish.email);
    }
    case 'recovery': {
      const user =
        (await lockPendingRegistration(transaction, wish.email, null)) ?? (await requireUser(transaction, wish.email));
      return byEmail(user.id, 'recovery', wish.email);
    }
    default:
      return changeEmail(service, transaction, wish, wish.type);
  }
}

async function register(
  transaction: Transaction,
  { email, passwordHash, metadata }: LinkWish,
  tokenType: TokenType,
): Promise<PendingCode> {
  const registered = await registerAccount(transaction, {
    email,
    passwordHash,
    data: metadata,
    phone: null,
    registeredOn: BY_OPERATOR,
  });
  if (registered.outcome === 'exists') throw new AuthError('emailExists');
  return byEmail(registered.userId, tokenType, email);
}

/** Two links, one for each address, are asked for one after the other: the second begins nothing anew. */
async function changeEmail(
  service: AuthService,
  transaction: Transaction,
  { email, newEmail, redirect }: LinkWish,
  tokenType: 'email_change_current' | 'email_change_new',
): Promise<PendingCode> {
  const user = await requireUser(transaction, email);
  if (newEmail === null) throw new AuthError('emailMalformed');
  if ((await findUserByEmail(transaction, newEmail)) !== undefined) throw new AuthError('emailExists');
  if (user.new_email !== newEmail)
    await beginEmailChange(service, transaction, user, {
      newEmail,
      redirect,
      challenge: '',
      taken: false,
      provedAt: null,
    });
  const changing = await findUser(transaction, user.id);
  if (!changing?.email_change_awaits.includes(tokenType)) throw new AuthError('changeNeedsNoLink');
  return byEmail(user.id, tokenType, tokenType === 'email_change_new' ? newEmail : email);
}

async function requireUser(transaction: Transaction, email: string): Promise<UserRow> {
  const user = await lockUserByEmail(transaction, email);
  if (user === undefined) throw new AuthError('userWithEmailNotFound');
  return user;
}

function byEmail(userId: string, tokenType: TokenType, recipient: string): PendingCode {
  return { userId, tokenType, channel: 'email', recipient };
}

/** As links say it (wire contract, section 1.8). */
function verificationType(tokenType: TokenType): string {
  switch (tokenType) {
    case 'confirmation':
      return 'signup';
    case 'sign_in':
      return 'magiclink';
    case 'email_change_current':
    case 'email_change_new':
      return 'email_change';
    default:
      return tokenType;
  }
}
