import { calculateJwkThumbprint, importJWK, type JWK, type JWTPayload, jwtVerify } from 'jose';
import { OperatorError } from '#server/operator-error.ts';
import { ClaimsRefused, compareClaims, explainClaims, isSignedByKnownKey } from './claims-refused.ts';
import { AUDIENCE, CLOCK_TOLERANCE_SECONDS } from './token-keys.ts';

/** Keys that verify but do not sign, such as those of a service that this one replaces. */
export interface AdditionalKeys {
  /**
   * Returns the claims of an unexpired token that one of the keys signed: an API key (`role` is `anon` or
   * `service_role`), or a user's token with our issuer, audience, and session. With `sessionless`, also one of any
   * issuer that names no session. Throws otherwise: `ClaimsRefused` if only its claims are wrong.
   */
  verify(token: string): Promise<JWTPayload>;
  /** The public keys of key pairs, for the key set. Shared secrets are never published. */
  readonly publicKeys: readonly JWK[];
}

export interface AdditionalKeysOptions {
  readonly keys: readonly JWK[];
  readonly issuer: string;
  readonly sessionless: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** One algorithm per kind of key, so that a token cannot choose another (RFC 8725, section 3.1). */
const ALGORITHMS: Readonly<Record<string, string>> = { oct: 'HS256', EC: 'ES256', RSA: 'RS256' };

/** RFC 7518, section 3.2: at least as long as the hash. */
const SHORTEST_SECRET_BYTES = 32;

/** Imports the keys once. Throws an OperatorError for a key that cannot verify. */
export async function openAdditionalKeys({
  keys,
  issuer,
  sessionless,
  now,
}: AdditionalKeysOptions): Promise<AdditionalKeys> {
  const opened = await Promise.all(keys.map(openKey));

  const ofPerson = { role: 'authenticated', aud: AUDIENCE, sub: undefined };
  // Without a session the token could not be revoked, except with its account.
  const ofSession = { ...ofPerson, iss: issuer, session_id: undefined };
  const verifyWith = async (token: string, { key, alg }: OpenedKey): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [alg],
      requiredClaims: ['exp', 'role'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now()),
    }).catch((failure: unknown) => {
      throw explainClaims(failure, { exp: undefined, role: undefined });
    });
    if (payload.role === 'anon' || payload.role === 'service_role') return payload;
    const required = sessionless && payload.session_id === undefined ? ofPerson : ofSession;
    const refused = compareClaims(payload, required);
    if (refused.missing.length + refused.unexpected.length > 0) throw new ClaimsRefused(refused);
    return payload;
  };

  return {
    publicKeys: opened.flatMap(({ publicJwk }) => publicJwk ?? []),
    async verify(token) {
      let failure: unknown = new Error('There is no additional key.');
      for (const key of opened) {
        try {
          return await verifyWith(token, key);
        } catch (cause) {
          if (!isSignedByKnownKey(failure)) failure = cause;
        }
      }
      throw failure;
    },
  };
}

interface OpenedKey {
  readonly key: Awaited<ReturnType<typeof importJWK>>;
  readonly alg: string;
  /** Null for a shared secret. */
  readonly publicJwk: JWK | null;
}

async function openKey({ d: _private, ...jwk }: JWK): Promise<OpenedKey> {
  const alg = ALGORITHMS[jwk.kty ?? ''];
  if (alg === undefined || (jwk.alg !== undefined && jwk.alg !== alg)) {
    throw new OperatorError(
      'JWT_ADDITIONAL_KEYS contains a key that is neither HS256 (oct), ES256 (EC) nor RS256 (RSA).',
    );
  }
  if (jwk.kty === 'oct' && Buffer.from(jwk.k ?? '', 'base64url').length < SHORTEST_SECRET_BYTES) {
    throw new OperatorError('JWT_ADDITIONAL_KEYS contains a secret that is too short: HS256 needs at least 32 bytes.');
  }
  const { kty, crv, x, y, n, e, k } = jwk;
  const parts = Object.entries({ kty, crv, x, y, n, e, k }).filter(([, value]) => value !== undefined);
  const plain: JWK = Object.fromEntries(parts);
  const key = await importJWK(plain, alg).catch((cause: unknown) => {
    throw new OperatorError('JWT_ADDITIONAL_KEYS contains an invalid key.', { cause });
  });
  if (kty === 'oct') return { key, alg, publicJwk: null };
  const kid = jwk.kid ?? (await calculateJwkThumbprint(plain));
  return { key, alg, publicJwk: { ...plain, kid, alg, use: 'sig', key_ops: ['verify'] } };
}
