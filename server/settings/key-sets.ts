import type { JWK } from 'jose';
import * as v from 'valibot';

/** Private keys; the first signs, all verify. */
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
export const signingKeys = v.pipe(
  v.string(),
  v.check(
    (value) => parseJson(signingSchema, value) !== null,
    'must be a JSON Web Key Set of ES256 private keys (kty EC, crv P-256) as one line of JSON; `npm run --silent secrets` prints one',
  ),
  v.transform((value): KeySet | null => parseJson(signingSchema, value)),
);

/** `JWT_ADDITIONAL_KEYS`. */
export const verifyingKeys = v.pipe(
  v.string(),
  v.check(
    (value) => parseJson(verifyingSchema, value) !== null,
    'must be a JSON Web Key Set of oct, EC (P-256) or RSA keys as one line of JSON',
  ),
  v.transform((value): KeySet | null => parseJson(verifyingSchema, value)),
);

function parseJson<Schema extends v.GenericSchema>(schema: Schema, value: string): v.InferOutput<Schema> | null {
  try {
    return v.parse(schema, JSON.parse(value));
  } catch {
    return null;
  }
}
