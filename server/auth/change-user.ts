import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { spendCodes } from './code-queries.ts';
import { normalizeAddress } from './email-address.ts';
import { requireAcceptablePassword } from './password-rules.ts';
import { readBody } from './read-body.ts';
import { requireFinishedSession } from './require-session.ts';
import { deleteSessions } from './session-queries.ts';
import { mergeMetadata, readMetadata } from './sign-up-data.ts';
import { toUserObject, type UserRow } from './user-object.ts';
import { findUser, lockUser, updateUser } from './user-queries.ts';
import { challenge, data, requireWellFormedChallenge, text } from './wire-fields.ts';

const changeBody = v.object({
  email: text,
  phone: text,
  password: text,
  data,
  app_metadata: v.nullish(v.unknown()),
  ...challenge,
});

/** `PUT /user`: other metadata, another password. A new password signs out every other session. */
export async function changeUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { user, sessionId } = await requireFinishedSession(service, c);
  const body = await readBody(c, changeBody);
  if (body.app_metadata != null) throw new AuthError('appMetadataNotYours');
  requireWellFormedChallenge(body);
  requireSameAddresses(user, body);
  const metadata = readMetadata(body.data);
  const passwordHash = body.password === '' ? null : await hashNewPassword(service, user, body.password);

  const changed = await service.database.transactAsService(async (transaction) => {
    const current = await lockUser(transaction, user.id);
    if (current === undefined) throw new AuthError('userGone');
    const merged = mergeMetadata(current.raw_user_meta_data, metadata);
    await updateUser(transaction, { id: user.id, passwordHash, metadata: merged });
    if (passwordHash !== null) {
      await deleteSessions(transaction, user.id, sessionId);
      await spendCodes(transaction, user.id);
    }
    return findUser(transaction, user.id);
  });
  if (changed === undefined) throw new AuthError('userGone');
  return c.json(toUserObject(changed));
}

/** A form that sends everything it shows sends the address as it is. Another one needs to be proved first. */
function requireSameAddresses(
  user: UserRow,
  { email, phone }: { readonly email: string; readonly phone: string },
): void {
  if (email !== '' && normalizeAddress(email) !== user.email) {
    throw new AuthError('notOffered', { detail: 'changing the e-mail address' });
  }
  if (phone !== '' && phone.replace(/[+\s]/g, '') !== user.phone) {
    throw new AuthError('notOffered', { detail: 'changing the phone number' });
  }
}

async function hashNewPassword({ passwords }: AuthService, user: UserRow, password: string): Promise<string> {
  requireAcceptablePassword(password);
  const { encrypted_password: current } = user;
  if (current !== null && (await passwords.matches(password, current))) throw new AuthError('passwordSame');
  return passwords.hash(password);
}
