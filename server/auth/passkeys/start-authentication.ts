import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { AuthService } from '../auth-service.ts';
import { loadWebAuthn } from './load-web-authn.ts';
import { relyingPartyOf } from './relying-party.ts';

/**
 * `POST /passkeys/authentication/options`: what `navigator.credentials.get` is called with. Valid for 5 minutes.
 *
 * It lists no credentials: the browser finds the passkeys by itself, and the response is the same for everyone. A list
 * for a typed address would say which addresses have an account.
 */
export async function startPasskeyAuthentication(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const challenge = service.passkeyChallenges.make('authentication');
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(service).id,
    challenge: challenge.bytes,
    userVerification: 'preferred',
  });
  return c.json({ challenge_id: challenge.id, options, expires_at: challenge.expiresAt });
}
