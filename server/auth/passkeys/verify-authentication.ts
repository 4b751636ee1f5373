import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { isBanned, lockUser, type UserRow } from '../accounts/user.ts';
import { recordFailure } from '../audit-log.ts';
import type { AuthService } from '../auth-service.ts';
import { describeSession, type OpenedSession, openSession } from '../sessions/open-session.ts';
import { AuthError, type Refusal } from '../wire/auth-error.ts';
import { readBody } from '../wire/request-body.ts';
import { readCredential, responseBody, shownCredential } from './credential-body.ts';
import { judgeShownCredential } from './judge-credential.ts';
import { type PasskeyChallenge, spendChallenge } from './passkey-challenges.ts';
import { findPasskey, notePasskeyOfSession, notePasskeyUse } from './passkey-queries.ts';
import { relyingPartyOf } from './relying-party.ts';

/** A refusal is a value and not an exception: the failure that was counted must commit. */
type SignIn =
  | { readonly user: UserRow; readonly opened: OpenedSession }
  | { readonly refused: Refusal; readonly cause?: unknown };

/**
 * `POST /passkeys/authentication/verify`: returns a session for a passkey that signs a challenge. A passkey that verified
 * its user is worth both factors: the session is at aal2. Otherwise an account's second factor is still owed.
 */
export async function signInWithPasskey(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, responseBody);
  const challenge = service.passkeyChallenges.open(body.challenge_id, 'authentication');
  const credential = readCredential(shownCredential, body.credential);
  // An unknown credential costs a look-up, and nothing is written.
  const known = await findPasskey(service.alone, credential.id);
  if (known === undefined) throw new AuthError('passkeyRefused', { cause: 'an unknown credential' });
  const result = await service.database.transactAsService(
    async (transaction): Promise<SignIn> =>
      signIn(service, transaction, { userId: known.user_id, credential, challenge, c }),
  );
  if ('refused' in result) throw new AuthError(result.refused, { cause: result.cause });
  return c.json(describeSession(service, result.user, result.opened));
}

interface ShownPasskey {
  readonly userId: string;
  readonly credential: AuthenticationResponseJSON;
  readonly challenge: PasskeyChallenge;
  readonly c: Context<AppEnv>;
}

async function signIn(
  service: AuthService,
  transaction: Transaction,
  { userId, credential, challenge, c }: ShownPasskey,
): Promise<SignIn> {
  // Serializes the sign-ins of an account, so that no counter is shown twice.
  const user = await lockUser(transaction, userId);
  const passkey = await findPasskey(transaction, credential.id);
  if (user === undefined || passkey?.user_id !== user.id) return { refused: 'passkeyRefused' };
  if (!(await spendChallenge(transaction, challenge))) return { refused: 'passkeyChallengeSpent' };

  const judged = await judgeShownCredential(credential, {
    party: relyingPartyOf(service),
    challenge: challenge.bytes,
    credential: {
      id: credential.id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
    },
  });
  const handle = Buffer.from(credential.response.userHandle ?? '', 'base64url').toString();
  if ('refused' in judged || handle !== user.id) {
    await recordFailure(transaction, 'sign_in_failed', user.id);
    return { refused: 'passkeyRefused', cause: 'refused' in judged ? judged.refused : 'a foreign user handle' };
  }
  if (isBanned(user, service.now())) return { refused: 'userBanned' };
  if (user.confirmed_at === null) return { refused: 'emailNotConfirmed' };

  await notePasskeyUse(transaction, { id: passkey.id, counter: judged.counter, at: new Date(service.now()) });
  const begun = await openSession(service, transaction, { userId, method: 'passkey', c });
  if (begun === undefined) return { refused: 'passkeyRefused' };
  const { opened } = begun;
  const aal = judged.userVerified ? 'aal2' : 'aal1';
  await notePasskeyOfSession(transaction, { sessionId: opened.session.id, passkeyId: passkey.id, aal });
  return { user: begun.user, opened: { ...opened, session: { ...opened.session, aal } } };
}
