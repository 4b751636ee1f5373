import { KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint, importJWK, type JWK, jwtVerify } from 'jose';
import { OperatorError } from '#server/operator-error.ts';
import { ClaimsRefused, explainClaims } from './claims-refused.ts';

/** The signing key, the keys that verify, and their public halves. */
export interface TokenKeys {
  /**
   * Signs with the first key (RFC 7515, section 7.1). The caller sets `exp` and `iat`, in Unix seconds. Synchronous,
   * because it takes a tenth of a millisecond: in the thread pool it would wait behind password hashing.
   */
  sign(claims: Readonly<Record<string, unknown>>): string;
  /**
   * Returns the claims of an unexpired token that one of our keys signed, with our issuer and audience and the role of
   * a user. Throws `ClaimsRefused` if only its claims are wrong, and jose's JOSEError otherwise. Only ES256 and our own keys are accepted: the token's `alg`, `jwk`, `jku` and `x5u` are
   * ignored (RFC 8725, sections 3.1 and 3.10).
   */
  verify(token: string): Promise<Record<string, unknown>>;
  /** For the key set, `/.well-known/jwks.json`. */
  readonly publicKeys: { readonly keys: readonly JWK[] };
  readonly issuer: string;
}

export interface TokenKeysOptions {
  readonly jwtKeys: { readonly keys: readonly JWK[] };
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export const AUDIENCE = 'authenticated';

/** The tolerated difference between the clocks of two servers, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 5;

/** Imports the keys once. Throws an OperatorError for a key that is not an ES256 private key. */
export async function openTokenKeys({ jwtKeys, issuer, now }: TokenKeysOptions): Promise<TokenKeys> {
  const keys = await Promise.all(
    jwtKeys.keys.map(async (jwk) => {
      if (jwk.kty !== 'EC' || jwk.crv !== 'P-256' || jwk.d === undefined) {
        throw new OperatorError('JWT_KEYS must hold ES256 private keys (kty EC, crv P-256).');
      }
      const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk));
      const { d: _private, ...publicPart } = jwk;
      const publicJwk: JWK = { ...publicPart, kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] };
      return {
        kid,
        header: encode({ alg: 'ES256', typ: 'JWT', kid }),
        publicJwk,
        signingKey: await openSigningKey(jwk),
        publicKey: await importJWK(publicJwk, 'ES256'),
      };
    }),
  );
  const [current] = keys;
  if (current === undefined) throw new OperatorError('JWT_KEYS contains no key.');
  const byId = new Map(keys.map((key) => [key.kid, key.publicKey]));

  return {
    issuer,
    publicKeys: { keys: keys.map((key) => key.publicJwk) },
    sign(claims) {
      const signed = `${current.header}.${encode(claims)}`;
      const signature = sign('sha256', Buffer.from(signed), current.signingKey);
      return `${signed}.${signature.toString('base64url')}`;
    },
    async verify(token) {
      const required = { exp: undefined, sub: undefined, role: 'authenticated', iss: issuer, aud: AUDIENCE };
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = kid === undefined ? undefined : byId.get(kid);
          if (key === undefined) throw new Error('No key of ours has this id.');
          return key;
        },
        {
          algorithms: ['ES256'],
          issuer,
          audience: AUDIENCE,
          requiredClaims: Object.keys(required),
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(now()),
        },
      ).catch((failure: unknown) => {
        throw explainClaims(failure, required);
      });
      if (payload.role !== required.role) throw new ClaimsRefused({ missing: [], unexpected: ['role'] });
      return payload;
    },
  };
}

/**
 * Creates a key object that includes the signature encoding (RFC 7518, section 3.4). Given the two separately, the
 * runtime creates and discards an error per signature and takes half as long again.
 */
async function openSigningKey(jwk: JWK): Promise<KeyObject & { readonly dsaEncoding: 'ieee-p1363' }> {
  const usable = { ...jwk, key_ops: ['sign'] };
  const key = await importJWK(usable, 'ES256', { extractable: true }).catch((cause: unknown) => {
    throw new OperatorError('JWT_KEYS contains an invalid key: its parameters do not match.', { cause });
  });
  if (key instanceof Uint8Array) throw new Error('A private key is not raw bytes.');
  return Object.assign(KeyObject.from(key), { dsaEncoding: 'ieee-p1363' } as const);
}

function encode(part: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
