import type { Context } from 'hono';
import * as v from 'valibot';
import { CREDENTIAL_NAME_LENGTH } from '#domain/account/credential-limits.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import type { AuthService } from '../auth-service.ts';
import { requireRecentProof } from '../sessions/require-recent-proof.ts';
import { lockAccountOf, requireSession } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';
import { readBody, text } from '../wire/request-body.ts';
import { deletePasskey, describePasskey, listPasskeysOf, renamePasskeyOf } from './passkey-queries.ts';
import { requirePasskeyRights } from './require-passkey-rights.ts';

/** `GET /passkeys`. Like the second factors, also in a session that still owes one: a passkey can be shown instead. */
export async function listPasskeys(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { user } = await requireSession(service, c);
  return c.json((await listPasskeysOf(service.alone, user.id)).map(describePasskey));
}

/** `PATCH /passkeys/:id`: renames a passkey. */
export async function renamePasskey(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { user } = await requirePasskeyRights(service, c);
  const id = requirePasskeyId(c);
  const { friendly_name: typed } = await readBody(c, v.object({ friendly_name: text }));
  const name = typed.trim();
  if (name === '') throw new AuthError('passkeyNameMissing');
  if ([...name].length > CREDENTIAL_NAME_LENGTH) throw new AuthError('passkeyNameTooLong');
  const renamed = await renamePasskeyOf(service.alone, { id, userId: user.id, name });
  if (renamed === undefined) throw new AuthError('passkeyNotFound');
  return c.json(describePasskey(renamed));
}

/**
 * `DELETE /passkeys/:id`: removes a passkey, and ends the sessions that it began. The session that asks stays, and owes
 * the account's second factor where the passkey stood for it.
 */
export async function removePasskey(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const signedIn = await requirePasskeyRights(service, c);
  const id = requirePasskeyId(c);
  await requireRecentProof(service, signedIn);
  const removed = await service.database.transactAsService(async (transaction) => {
    await lockAccountOf(service, transaction, signedIn);
    return deletePasskey(transaction, { id, userId: signedIn.user.id, keptSession: signedIn.sessionId });
  });
  if (!removed) throw new AuthError('passkeyNotFound');
  return c.body(null, 204);
}

/** Returns the id in the path. Throws `passkeyNotFound` for what is none. */
export function requirePasskeyId(c: Context<AppEnv>): string {
  const id = c.req.param('passkeyId') ?? '';
  if (!isUuid(id)) throw new AuthError('passkeyNotFound');
  return id.toLowerCase();
}
