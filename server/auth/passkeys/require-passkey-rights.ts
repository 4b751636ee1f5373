import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { AuthService } from '../auth-service.ts';
import { requireSession, type SignedIn } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';

/** Returns the caller, who may change the account's passkeys: it has shown the second factor where there is one. */
export async function requirePasskeyRights(service: AuthService, c: Context<AppEnv>): Promise<SignedIn> {
  const signedIn = await requireSession(service, c);
  if (signedIn.user.is_anonymous) throw new AuthError('factorForAnonymous');
  if (signedIn.unfinished) throw new AuthError('passkeyNeedsFactor');
  return signedIn;
}
