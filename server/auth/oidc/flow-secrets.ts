import { createHash, createHmac, randomBytes } from 'node:crypto';
import { deriveKey } from '#server/derive-key.ts';

/** What one visit to a provider is held together by. Only its state leaves this server in the open. */
export interface FlowSecrets {
  /** 256 random bits, which come back with the answer. */
  readonly state: string;
  /** Stands in the ID token of this visit and of no other. */
  readonly nonce: string;
  /** The verifier of our own proof key towards the provider (RFC 7636). */
  readonly verifier: string;
}

/** Makes the nonce and the verifier of a state: the database holds neither of them, and the state as a hash only. */
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

/** What the database keeps of a state or of a browser's cookie: 256 random bits need no key and no salt. */
export function hashOf(random: string): Buffer {
  return createHash('sha256').update(random).digest();
}
