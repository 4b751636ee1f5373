import { createHash, createHmac, randomBytes } from 'node:crypto';
import { deriveKey } from '#server/derive-key.ts';

/** The secrets of one flow. Only the state is visible outside the server and the provider. */
export interface FlowSecrets {
  /** 256 random bits, returned by the provider in the response. */
  readonly state: string;
  /** Bound into the ID token of this flow (OpenID Connect Core, section 3.1.2.1). */
  readonly nonce: string;
  /** The verifier of our own proof key towards the provider (RFC 7636). */
  readonly verifier: string;
}

/** Derives the nonce and the verifier from a state. The database stores neither, and of the state only a hash. */
export type DeriveFlowSecrets = (state: string) => FlowSecrets;

export function createFlowSecrets(secret: string): DeriveFlowSecrets {
  const key = deriveKey(secret, 'visits to sign-in providers');
  const derive = (purpose: string, state: string) =>
    createHmac('sha256', key).update(`${purpose} ${state}`).digest('base64url');
  return (state) => ({ state, nonce: derive('nonce', state), verifier: derive('verifier', state) });
}

export function makeState(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the stored hash of a state or of the browser cookie. 256 random bits need no key and no salt. */
export function hashOf(random: string): Buffer {
  return createHash('sha256').update(random).digest();
}
