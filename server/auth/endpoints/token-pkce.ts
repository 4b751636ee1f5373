import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { findUser, isBanned } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { takeOrRefuse } from '../codes/code-allowance.ts';
import type { Verified } from '../sessions/accept-token.ts';
import { deleteAuthorizationCode, lockAuthorizationCode, provesChallenge } from '../sessions/authorization-codes.ts';
import { describeSession, openSession } from '../sessions/open-session.ts';
import { AuthError } from '../wire/auth-error.ts';
import { readBody, text } from '../wire/request-body.ts';

const exchangeBody = v.object({ auth_code: text, code_verifier: text });

/**
 * `POST /token?grant_type=pkce`: exchanges an authorization code, once, for a session. Requires the verifier of its
 * flow.
 */
export async function exchangeAuthorizationCode(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { auth_code: code, code_verifier: verifier } = await readBody(c, exchangeBody);
  if (code === '' || verifier === '') throw new AuthError('exchangeIncomplete');
  await takeOrRefuse(service, 'auth_requests_per_address', `${c.get('clientAddress')} attempts`);
  const exchanged = await service.database.transactAsService((transaction) =>
    exchange(service, c, transaction, { code, verifier }),
  );
  if (exchanged.outcome === 'refused') throw new AuthError(exchanged.refusal);
  return c.json(describeSession(service, exchanged.user, exchanged.opened));
}

async function exchange(
  service: AuthService,
  c: Context<AppEnv>,
  transaction: Transaction,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<Exclude<Verified, { outcome: 'message' }>> {
  const issued = await lockAuthorizationCode(transaction, code);
  if (issued === undefined) return { outcome: 'refused', refusal: 'flowUnknown' };
  if (issued.expiresAt.getTime() <= service.now()) return { outcome: 'refused', refusal: 'flowExpired' };
  if (!provesChallenge(verifier, issued.challenge)) return { outcome: 'refused', refusal: 'verifierWrong' };
  await deleteAuthorizationCode(transaction, code);
  const { userId, method, provedAt } = issued;
  const before = await findUser(transaction, userId);
  if (before === undefined) return { outcome: 'refused', refusal: 'flowUnknown' };
  if (isBanned(before, service.now())) return { outcome: 'refused', refusal: 'userBanned' };
  const begun = await openSession(service, transaction, { userId, method, c, provedAt });
  return begun === undefined ? { outcome: 'refused', refusal: 'flowUnknown' } : { outcome: 'session', ...begun };
}
