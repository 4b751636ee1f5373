import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import { mergeMetadata } from '../accounts/metadata.ts';
import { toUserObject } from '../accounts/user.ts';
import { AuthError } from '../wire/auth-error.ts';
import { readBody } from '../wire/request-body.ts';
import { actAsOperator } from './act-as-operator.ts';
import { findAnyUser, insertAccount, requireFreeAddress } from './admin-queries.ts';
import { readAttributes, userAttributes } from './user-attributes.ts';

/** `POST /admin/users`: creates an account, confirmed where the request says so. Sends no messages. */
export async function createUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, userAttributes);
  if (body.email === '' && body.phone === '') throw new AuthError('emailOrPhoneMissingOnCreate');
  if (body.id !== '' && !isUuid(body.id)) throw new AuthError('fieldMalformed', { detail: 'id must be an UUID' });
  const said = await readAttributes(service, body);
  const id = body.id === '' ? randomUUID() : body.id.toLowerCase();
  const at = new Date(service.now());
  const providers = [...(said.email === null ? [] : ['email']), ...(said.phone === null ? [] : ['phone'])];

  const created = await actAsOperator(service, async (transaction) => {
    if (said.email !== null)
      await requireFreeAddress(transaction, { id, email: said.email, isProved: said.confirmEmail });
    await insertAccount(transaction, {
      id,
      email: said.confirmEmail ? said.email : null,
      claimedEmail: said.confirmEmail ? null : said.email,
      phone: said.phone,
      passwordHash: said.passwordHash,
      emailConfirmedAt: said.confirmEmail && said.email !== null ? at : null,
      phoneConfirmedAt: said.confirmPhone && said.phone !== null ? at : null,
      appMetadata: mergeMetadata({ provider: providers[0], providers }, said.appMetadata),
      userMetadata: mergeMetadata({}, { ...said.userMetadata, ...said.verified }),
      bannedUntil: said.bannedUntil ?? null,
    });
    return findAnyUser(transaction, id);
  });
  if (created === undefined) throw new Error('The account went away while it was made.');
  return c.json(toUserObject(created));
}
