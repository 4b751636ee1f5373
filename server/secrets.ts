import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import * as v from 'valibot';
import { type Config, ConfigError } from './config.ts';
import { createFile, replaceFile } from './data-folder/whole-file.ts';
import { makePushKey } from './push/push-key.ts';
import type { KeySet } from './settings/key-sets.ts';

/** Secrets, which must never be shown or logged. The first of the `jwtKeys` signs; all verify. */
export interface Secrets {
  readonly jwtKeys: KeySet;
  /** The key that refresh tokens are derived with. */
  readonly refreshTokenSecret: string;
  /** Public by design: it identifies the project to the API and means the role `anon`. */
  readonly publishableKey: string;
  /** Means the role `service_role`. */
  readonly secretKey: string;
  /** The private key of Web Push; null where the operator has set none. */
  readonly pushKey: string | null;
}

const fileSchema = v.object({
  jwtKeys: v.object({ keys: v.array(v.looseObject({ kty: v.string(), kid: v.string() })) }),
  refreshTokenSecret: v.string(),
  publishableKey: v.string(),
  secretKey: v.string(),
  // Earlier releases made none.
  pushKey: v.optional(v.string()),
});

type StoredSecrets = v.InferOutput<typeof fileSchema>;

/**
 * Loads the secrets from the environment. Missing ones come from `secrets.json` in the data folder (mode 0600), which a
 * development server creates at its first start. A production configuration must set all of them but the key of Web
 * Push, without which there are no pushes.
 */
export async function loadSecrets({ secrets: given, production, dataDirectory }: Config): Promise<Secrets> {
  const { jwtKeys, refreshTokenSecret, publishableKey, secretKey, pushKey } = given;
  const fromFile =
    production || (jwtKeys && refreshTokenSecret && publishableKey && secretKey && pushKey)
      ? undefined
      : await readOrMake(dataDirectory);
  const need = <Value>(name: string, value: Value | undefined): Value => {
    if (value === undefined) throw new ConfigError(`${name} is missing: a production server needs it.`);
    return value;
  };
  return {
    jwtKeys: need('JWT_KEYS', jwtKeys ?? fromFile?.jwtKeys),
    refreshTokenSecret: need('REFRESH_TOKEN_SECRET', refreshTokenSecret ?? fromFile?.refreshTokenSecret),
    publishableKey: need('PUBLISHABLE_KEY', publishableKey ?? fromFile?.publishableKey),
    secretKey: need('SECRET_KEY', secretKey ?? fromFile?.secretKey),
    pushKey: pushKey ?? fromFile?.pushKey ?? null,
  };
}

async function readOrMake(directory: string): Promise<StoredSecrets> {
  const path = join(directory, 'secrets.json');
  const stored = await readStored(path);
  if (stored?.pushKey !== undefined) return stored;
  if (stored === undefined) {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // Of two concurrent first starts, both use the secrets of the first.
    await createFile(path, asText(await makeSecrets()));
  } else {
    await replaceFile(path, asText({ ...stored, pushKey: makePushKey() }));
  }
  return v.parse(fileSchema, await readStored(path));
}

/** Returns undefined where there is no file. */
async function readStored(path: string): Promise<StoredSecrets | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : v.parse(fileSchema, JSON.parse(text));
}

function asText(secrets: Secrets | StoredSecrets): string {
  return `${JSON.stringify(secrets, null, 2)}\n`;
}

/** Returns new random secrets with one ES256 signing key. */
export async function makeSecrets(): Promise<Secrets> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString('hex'), alg: 'ES256', use: 'sig' };
  return {
    jwtKeys: { keys: [key] },
    refreshTokenSecret: randomBytes(32).toString('base64url'),
    publishableKey: makeApiKey('publishable'),
    secretKey: makeApiKey('secret'),
    pushKey: makePushKey(),
  };
}

/** Returns a new random API key of the given kind. */
function makeApiKey(kind: 'publishable' | 'secret'): string {
  return `sb_${kind}_${randomBytes(24).toString('base64url')}`;
}
