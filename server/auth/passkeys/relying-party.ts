import type { AuthService } from '../auth-service.ts';

/** Who a passkey is made for, as browsers check it (WebAuthn, section 4, "Relying Party Identifier"). */
export interface RelyingParty {
  /** The host name of the public address. A passkey works there, and nowhere else. */
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

export function relyingPartyOf({ config }: Pick<AuthService, 'config'>): RelyingParty {
  const { hostname, origin } = new URL(config.publicUrl);
  return { id: hostname, origin, name: config.productName };
}

/** The algorithms of keys that are accepted: Ed25519, ES256, and RS256, which all authenticators have one of. */
export const KEY_ALGORITHMS: number[] = [-8, -7, -257];
