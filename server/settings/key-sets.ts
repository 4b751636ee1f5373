import type { JWK } from 'jose';
import * as v from 'valibot';
import { json } from './values.ts';

/** Private keys. The first signs; all verify. */
export interface KeySet {
  readonly keys: readonly JWK[];
}

const signingSchema = v.object({
  keys: v.pipe(
    v.array(
      v.looseObject({ kty: v.literal('EC'), crv: v.literal('P-256'), x: v.string(), y: v.string(), d: v.string() }),
    ),
    v.minLength(1),
  ),
});

const verifyingSchema = v.object({
  keys: v.pipe(
    v.array(
      v.variant('kty', [
        v.looseObject({ kty: v.literal('oct'), k: v.string() }),
        v.looseObject({ kty: v.literal('EC'), crv: v.literal('P-256'), x: v.string(), y: v.string() }),
        v.looseObject({ kty: v.literal('RSA'), n: v.string(), e: v.string() }),
      ]),
    ),
    v.minLength(1),
  ),
});

/** `JWT_KEYS`. */
export const signingKeys = json(
  signingSchema,
  'must be a JSON Web Key Set of ES256 private keys (kty EC, crv P-256) as one line of JSON; `npm run --silent secrets` prints one',
);

/** `JWT_ADDITIONAL_KEYS`. */
export const verifyingKeys = json(
  verifyingSchema,
  'must be a JSON Web Key Set of oct, EC (P-256) or RSA keys as one line of JSON',
);
