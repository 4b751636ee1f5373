import { jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import type { Database } from '#server/postgres/database.ts';
import { addressExpired, invalidAddressToken, invalidSignature } from './errors.ts';

const claimsSchema = v.object({
  /** `bucket/name`. */
  url: v.string(),
  scope: v.picklist(['download', 'upload']),
  exp: v.number(),
  /** For reading: the id of the object. Another one that takes its name later is not meant. */
  object: v.optional(v.string()),
  /** The account that will own the uploaded object. */
  owner: v.optional(v.string()),
  upsert: v.optional(v.boolean()),
  /** How to serve a picture. */
  transform: v.optional(v.record(v.string(), v.unknown())),
  /** The same in URLs of earlier versions, which are valid for up to a year. */
  width: v.optional(v.number()),
});

type AddressClaims = v.InferOutput<typeof claimsSchema>;

/**
 * Creates and verifies the tokens in signed URLs. A token grants access to one object for one purpose. It has its own
 * key, so it is not an access token.
 */
export interface AddressTokens {
  sign(claims: Omit<AddressClaims, 'exp'>, lifeSeconds: number): Promise<string>;
  /** Throws where the token is invalid, or is for another object or purpose. */
  verify(token: string, expected: Pick<AddressClaims, 'url' | 'scope'>): Promise<AddressClaims>;
}

export function createAddressTokens(
  database: Pick<Database, 'asService'>,
  /** Milliseconds since the epoch. */
  now: () => number,
): AddressTokens {
  let loading: Promise<Uint8Array> | undefined;
  const key = () => {
    loading ??= loadKey(database).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  return {
    async sign(claims, lifeSeconds) {
      const seconds = Math.floor(now() / 1000);
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + lifeSeconds)
        .sign(await key());
    },
    async verify(token, { url, scope }) {
      const secret = await key();
      const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], currentDate: new Date(now()) }).catch(
        (cause: unknown) => {
          const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
          if (code === 'ERR_JWT_EXPIRED') throw addressExpired(cause);
          if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') throw invalidSignature();
          throw invalidAddressToken('jwt malformed', cause);
        },
      );
      const claims = v.safeParse(claimsSchema, payload);
      if (!claims.success || claims.output.url !== url || claims.output.scope !== scope) throw invalidSignature();
      return claims.output;
    },
  };
}

async function loadKey(database: Pick<Database, 'asService'>): Promise<Uint8Array> {
  const { rows } = await database.asService<{ value: string }>({
    text: "select value from internal.secrets where name = 'storage_addresses'",
  });
  const [secret] = rows;
  if (secret === undefined) throw new Error('The key of signed addresses is not in the database.');
  return new TextEncoder().encode(secret.value);
}
