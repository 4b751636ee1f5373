import type { Context } from 'hono';
import { MOST_PASSKEYS } from '#domain/account/credential-limits.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { shownEmail, type UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { requireRecentProof } from '../sessions/require-recent-proof.ts';
import { AuthError } from '../wire/auth-error.ts';
import { loadWebAuthn } from './load-web-authn.ts';
import { listPasskeysOf } from './passkey-queries.ts';
import { KEY_ALGORITHMS, relyingPartyOf } from './relying-party.ts';
import { requirePasskeyRights } from './require-passkey-rights.ts';

/** `POST /passkeys/registration/options`: what `navigator.credentials.create` is called with. Valid for 5 minutes. */
export async function startPasskeyRegistration(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const signedIn = await requirePasskeyRights(service, c);
  await requireRecentProof(service, signedIn);
  const passkeys = await listPasskeysOf(service.alone, signedIn.user.id);
  if (passkeys.length >= MOST_PASSKEYS) throw new AuthError('tooManyPasskeys');
  const challenge = service.passkeyChallenges.make(`registration ${signedIn.sessionId}`);
  const options = await registrationOptions(service, {
    user: signedIn.user,
    challenge: challenge.bytes,
    residentKey: 'required',
    known: passkeys.map((passkey) => passkey.credential_id.toString('base64url')),
  });
  return c.json({ challenge_id: challenge.id, options, expires_at: challenge.expiresAt });
}

interface NewCredential {
  readonly user: UserRow;
  readonly challenge: Uint8Array<ArrayBuffer>;
  /** `required` for one that signs in without a name. */
  readonly residentKey: 'required' | 'discouraged';
  /** Ids of credentials whose authenticators need no second one. */
  readonly known: readonly string[];
}

/** The user handle is the account's id, which passkeys return at a sign-in, and which names no person. */
export async function registrationOptions(
  service: Pick<AuthService, 'config'>,
  { user, challenge, residentKey, known }: NewCredential,
) {
  const party = relyingPartyOf(service);
  const name = shownEmail(user) ?? (user.phone === null ? user.id : `+${user.phone}`);
  const { generateRegistrationOptions } = await loadWebAuthn();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: name,
    userDisplayName: name,
    userID: new TextEncoder().encode(user.id),
    challenge,
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey, userVerification: 'preferred' },
    supportedAlgorithmIDs: KEY_ALGORITHMS,
  });
}
