import { KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint, importJWK, type JWK, jwtVerify } from 'jose';
import { OperatorError } from '#server/operator-error.ts';

/** The signing key, the keys that verify, and their public halves. */
export interface TokenKeys {
  /**
   * Signs with the first key (RFC 7515, section 7.1). `exp` and `iat` are the caller's, in unix seconds. Done at once, in a
   * tenth of a millisecond: in the thread pool it would wait for the cores that hash passwords.
   */
  sign(claims: Readonly<Record<string, unknown>>): string;
  /**
   * The claims of a token that one of our keys signed, whose issuer and audience are ours and which has not expired.
   * Throws jose's JOSEError otherwise. Only ES256 is accepted, and only a key that we hold: `alg`, `jwk`, `jku` and
   * `x5u` of the token itself decide nothing (RFC 8725 sections 3.1 and 3.10).
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

/** How much the clocks of two servers may differ. */
export const CLOCK_TOLERANCE_SECONDS = 5;

/** Imports the keys once. Throws when a key is not an ES256 private key. */
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
  if (current === undefined) throw new OperatorError('JWT_KEYS holds no key.');
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
          requiredClaims: ['exp', 'sub', 'role'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(now()),
        },
      );
      return payload;
    },
  };
}

/**
 * A key that says itself how its signatures are written (RFC 7518, section 3.4). With the two apart in an object the
 * runtime makes and drops an error at each signature, to find that this object is no key, and takes half as long again.
 */
async function openSigningKey(jwk: JWK): Promise<KeyObject & { readonly dsaEncoding: 'ieee-p1363' }> {
  const usable = { ...jwk, key_ops: ['sign'] };
  const key = await importJWK(usable, 'ES256', { extractable: true }).catch((cause: unknown) => {
    throw new OperatorError('JWT_KEYS holds a key that is none: its numbers do not belong together.', { cause });
  });
  if (key instanceof Uint8Array) throw new Error('A private key is not raw bytes.');
  return Object.assign(KeyObject.from(key), { dsaEncoding: 'ieee-p1363' } as const);
}

function encode(part: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
