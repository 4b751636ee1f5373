import type { Context } from 'hono';
import { MOST_PASSKEYS } from '#domain/account/credential-limits.ts';
import { describeDevice } from '#domain/account/describe-device.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { AuthService } from '../auth-service.ts';
import { requireRecentProof } from '../sessions/require-recent-proof.ts';
import { lockAccountOf } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';
import { readBody } from '../wire/request-body.ts';
import { createdCredential, readCredential, responseBody } from './credential-body.ts';
import { judgeNewCredential } from './judge-credential.ts';
import { spendChallenge } from './passkey-challenges.ts';
import { describePasskey, insertPasskey, listPasskeysOf } from './passkey-queries.ts';
import { relyingPartyOf } from './relying-party.ts';
import { requirePasskeyRights } from './require-passkey-rights.ts';

/**
 * `POST /passkeys/registration/verify`: adds the passkey that answers a challenge of this session. It is named after the
 * browser until its owner names it.
 */
export async function verifyPasskeyRegistration(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const signedIn = await requirePasskeyRights(service, c);
  const body = await readBody(c, responseBody);
  await requireRecentProof(service, signedIn);
  const challenge = service.passkeyChallenges.open(body.challenge_id, `registration ${signedIn.sessionId}`);
  const judged = await judgeNewCredential(readCredential(createdCredential, body.credential), {
    party: relyingPartyOf(service),
    challenge: challenge.bytes,
  });
  if ('refused' in judged) throw new AuthError('passkeyRefused', { cause: judged.refused });
  const userId = signedIn.user.id;
  const added = await service.database.transactAsService(async (transaction) => {
    await lockAccountOf(service, transaction, signedIn);
    if (!(await spendChallenge(transaction, challenge))) throw new AuthError('passkeyChallengeSpent');
    if ((await listPasskeysOf(transaction, userId)).length >= MOST_PASSKEYS) throw new AuthError('tooManyPasskeys');
    const passkey = await insertPasskey(transaction, {
      userId,
      name: describeDevice(c.req.header('user-agent') ?? ''),
      credential: judged.credential,
      at: new Date(service.now()),
    });
    if (passkey === undefined) throw new AuthError('passkeyExists');
    return passkey;
  });
  return c.json(describePasskey(added));
}
