import * as v from 'valibot';
import type { UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { createdCredential, shownCredential } from '../passkeys/credential-body.ts';
import { judgeNewCredential, judgeShownCredential } from '../passkeys/judge-credential.ts';
import { loadWebAuthn } from '../passkeys/load-web-authn.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import { registrationOptions } from '../passkeys/start-registration.ts';
import { type FactorCredential, type FactorRow, listFactors } from './factor-queries.ts';

/** What a browser returned: a new credential for an unverified factor, or the one of a verified factor. */
export const keyResponse = v.variant('type', [
  v.object({ type: v.literal('create'), credential_response: createdCredential }),
  v.object({ type: v.literal('request'), credential_response: shownCredential }),
]);

type KeyResponse = v.InferOutput<typeof keyResponse>;

/** Returns what the browser asks a security key to do. Whose user it verifies does not matter: the password came first. */
export async function askSecurityKey(
  service: AuthService,
  user: UserRow,
  { id, credential }: FactorRow,
  challengeId: string,
) {
  const challenge = service.passkeyChallenges.bytesOf(challengeId, `factor ${id}`);
  if (credential === null) {
    const factors = await listFactors(service.alone, user.id);
    const known = factors.flatMap((factor) => factor.credential?.id ?? []);
    const publicKey = await registrationOptions(service, { user, challenge, residentKey: 'discouraged', known });
    return { type: 'create', credential_options: { publicKey } };
  }
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const publicKey = await generateAuthenticationOptions({
    rpID: relyingPartyOf(service).id,
    challenge,
    allowCredentials: [{ id: credential.id }],
    userVerification: 'discouraged',
  });
  return { type: 'request', credential_options: { publicKey } };
}

/** Returns the factor's credential with its new counter, or null where the response is wrong. */
export async function proveBySecurityKey(
  service: Pick<AuthService, 'config' | 'passkeyChallenges'>,
  { id, credential }: Pick<FactorRow, 'id' | 'credential'>,
  { response, challengeId }: { readonly response: KeyResponse; readonly challengeId: string },
): Promise<FactorCredential | null> {
  const party = relyingPartyOf(service);
  const challenge = service.passkeyChallenges.bytesOf(challengeId, `factor ${id}`);
  if (response.type === 'create') {
    if (credential !== null) return null;
    const judged = await judgeNewCredential(response.credential_response, { party, challenge });
    if ('refused' in judged) return null;
    const { publicKey, ...made } = judged.credential;
    return { id: made.id, counter: made.counter, publicKey: Buffer.from(publicKey).toString('base64url') };
  }
  const shown = response.credential_response;
  if (credential === null || shown.id !== credential.id) return null;
  const publicKey = new Uint8Array(Buffer.from(credential.publicKey, 'base64url'));
  const judged = await judgeShownCredential(shown, { party, challenge, credential: { ...credential, publicKey } });
  return 'refused' in judged ? null : { ...credential, counter: judged.counter };
}
