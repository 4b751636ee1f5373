import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';
import { loadWebAuthn } from './load-web-authn.ts';
import { KEY_ALGORITHMS, type RelyingParty } from './relying-party.ts';
import { withoutAttestation } from './without-attestation.ts';

/** The stored part of a credential. */
export type KnownCredential = Pick<WebAuthnCredential, 'id' | 'publicKey' | 'counter'>;

interface Expected {
  readonly party: RelyingParty;
  readonly challenge: Uint8Array;
}

/** Returns the new credential, or the error that says why it is refused, for the log. */
export async function judgeNewCredential(
  response: RegistrationResponseJSON,
  { party, challenge }: Expected,
): Promise<{ readonly credential: KnownCredential } | { readonly refused: unknown }> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: await withoutAttestation(response),
      expectedChallenge: textOf(challenge),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: KEY_ALGORITHMS,
    });
    if (!verified) return { refused: new Error('The attestation is not valid.') };
    const { credential } = registrationInfo;
    // The id outside is the client's word, the one inside the authenticator's.
    if (credential.id !== response.id) return { refused: new Error('The credential has two ids.') };
    return { credential };
  } catch (refused) {
    return { refused };
  }
}

/**
 * Returns what a known credential has shown: its counter, which is higher than the stored one unless both are 0, and
 * whether its user was verified by a fingerprint, a face, or a PIN. Or the error that says why it is refused.
 */
export async function judgeShownCredential(
  response: AuthenticationResponseJSON,
  { party, challenge, credential }: Expected & { readonly credential: KnownCredential },
): Promise<{ readonly counter: number; readonly userVerified: boolean } | { readonly refused: unknown }> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: textOf(challenge),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential,
      requireUserVerification: false,
    });
    if (!verified) return { refused: new Error('The signature is not valid.') };
    return { counter: authenticationInfo.newCounter, userVerified: authenticationInfo.userVerified };
  } catch (refused) {
    return { refused };
  }
}

function textOf(challenge: Uint8Array): string {
  return Buffer.from(challenge).toString('base64url');
}
