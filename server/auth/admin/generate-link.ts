import type { Context } from 'hono';
import * as v from 'valibot';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { beginEmailChange } from '../accounts/email-change.ts';
import { requireAcceptableAddress } from '../accounts/identifier.ts';
import { type Metadata, readMetadata } from '../accounts/metadata.ts';
import { requireAcceptablePassword, TURN_OF_SERVICE } from '../accounts/passwords.ts';
import {
  BY_OPERATOR,
  findRegistrations,
  type PendingRegistration,
  registrationOf,
} from '../accounts/register-account.ts';
import { findUser, findUserByEmail, lockUserByEmail, toUserObject, type UserRow } from '../accounts/user.ts';
import { BY_NO_SESSION, type PendingCode, putCode, type TokenType } from '../codes/one-time-code.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseRedirect, type Redirect } from '../wire/redirects.ts';
import { data, readBody, text } from '../wire/request-body.ts';
import { actAsOperator } from './act-as-operator.ts';
import { registerByOperator } from './register-by-operator.ts';

const linkTypes = ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'] as const;
type LinkType = (typeof linkTypes)[number];

const linkBody = v.object({ type: text, email: text, new_email: text, password: text, data, redirect_to: text });

interface LinkRequest {
  readonly type: LinkType;
  readonly email: string;
  readonly newEmail: string | null;
  readonly passwordHash: string | null;
  readonly metadata: Metadata;
  readonly redirect: Redirect;
}

/**
 * `POST /admin/generate_link`: returns a code and a link and sends nothing. Using them proves the address, as if they
 * had been mailed.
 */
export async function generateLink(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const request = await readLinkRequest(service, c);
  const { pending, secrets, user } = await actAsOperator(service, async (transaction) => {
    const pending = await choosePending(service, transaction, request);
    const secrets = await putCode(service, transaction, pending);
    return { pending, secrets, user: await findUser(transaction, pending.userId) };
  });
  if (user === undefined) throw new AuthError('userNotFound');
  const type = verificationType(pending.tokenType);
  const query = new URLSearchParams({ token: secrets.link, type, redirect_to: request.redirect.url });
  return c.json({
    ...toUserObject(user),
    action_link: `${service.config.publicUrl}/auth/v1/verify?${query}`,
    email_otp: secrets.code,
    hashed_token: secrets.link,
    redirect_to: request.redirect.url,
    verification_type: pending.tokenType === 'confirmation' ? 'signup' : request.type,
  });
}

async function readLinkRequest(service: AuthService, c: Context<AppEnv>): Promise<LinkRequest> {
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
    passwordHash: type === 'signup' ? await passwords.hash(body.password, TURN_OF_SERVICE) : null,
    metadata,
    redirect: chooseRedirect(config, c.req.query('redirect_to') ?? (body.redirect_to || undefined)),
  };
}

async function choosePending(
  service: AuthService,
  transaction: Transaction,
  request: LinkRequest,
): Promise<PendingCode> {
  switch (request.type) {
    case 'signup':
      return register(transaction, request, 'confirmation');
    case 'invite':
      return register(transaction, request, 'invite');
    case 'magiclink': {
      const user =
        (await findPending(transaction, request.email)) ?? (await lockUserByEmail(transaction, request.email));
      return user === undefined
        ? register(transaction, request, 'confirmation')
        : byEmail(user.id, 'sign_in', request.email);
    }
    case 'recovery': {
      const user = (await findPending(transaction, request.email)) ?? (await requireUser(transaction, request.email));
      return byEmail(user.id, 'recovery', request.email);
    }
    default:
      return changeEmail(service, transaction, request, request.type);
  }
}

/** Returns the registration that waits for this address, by preference an operator's. */
async function findPending(transaction: Transaction, email: string): Promise<PendingRegistration | undefined> {
  const pending = await findRegistrations(transaction, email, null);
  return registrationOf(pending, BY_OPERATOR) ?? pending[0];
}

async function register(
  transaction: Transaction,
  { type, email, passwordHash, metadata }: LinkRequest,
  tokenType: TokenType,
): Promise<PendingCode> {
  const isSignUp = type === 'signup';
  const userId = await registerByOperator(transaction, { email, passwordHash, metadata, isSignUp });
  return byEmail(userId, tokenType, email);
}

/**
 * An operator requests the two links of a change, one per address, in two calls. The second call continues the change
 * that the first began.
 */
async function changeEmail(
  service: AuthService,
  transaction: Transaction,
  { email, newEmail, redirect }: LinkRequest,
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
      provedAt: BY_NO_SESSION,
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

/** The `type` of a link (docs/protocol/auth.md, Links). */
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
