import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import * as v from 'valibot';
import { type Config, ConfigError } from '#server/config.ts';
import { readStoredJson, type StoredJson, storeJson } from '#server/data-folder/stored-json.ts';
import { makePushKey } from '#server/delivery/push/push-key.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { KeySet } from '#server/settings/key-sets.ts';

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

/** Only those that were missing when they were made. */
const fileSchema = v.partial(
  v.object({
    jwtKeys: v.object({ keys: v.array(v.looseObject({ kty: v.string(), kid: v.string() })) }),
    refreshTokenSecret: v.string(),
    publishableKey: v.string(),
    secretKey: v.string(),
    pushKey: v.string(),
  }),
);

type SomeSecrets = { readonly [Name in keyof Secrets]?: NonNullable<Secrets[Name]> | undefined };

const VARIABLES = {
  jwtKeys: 'JWT_KEYS',
  refreshTokenSecret: 'REFRESH_TOKEN_SECRET',
  publishableKey: 'PUBLISHABLE_KEY',
  secretKey: 'SECRET_KEY',
} as const;
const NAMES = ['jwtKeys', 'refreshTokenSecret', 'publishableKey', 'secretKey'] as const;

/**
 * Loads the secrets from the settings. Missing ones come from `secrets.json` in the data folder (mode 0600), and are made
 * where they are not there either.
 *
 * A production server does so only with the embedded database, and only before that exists: secrets that were made anew
 * would sign everybody out, and end their second factors. Beside a database of the operator's own, the settings must have
 * all of them but the key of Web Push, without which there are no pushes.
 *
 * @throws OperatorError where secrets are missing that cannot be made, or the file cannot be read or written
 */
export async function loadSecrets(
  config: Pick<Config, 'production' | 'database' | 'dataDirectory' | 'secrets'>,
): Promise<Secrets> {
  const mayMake = !config.production || config.database.kind === 'embedded';
  const found = mayMake ? await completed(config.secrets, config) : config.secrets;
  const need = <Value>(name: (typeof NAMES)[number], value: Value | undefined): Value => {
    if (value === undefined) throw new ConfigError(`${VARIABLES[name]} is missing: a production server needs it.`);
    return value;
  };
  return {
    jwtKeys: need('jwtKeys', found.jwtKeys),
    refreshTokenSecret: need('refreshTokenSecret', found.refreshTokenSecret),
    publishableKey: need('publishableKey', found.publishableKey),
    secretKey: need('secretKey', found.secretKey),
    pushKey: found.pushKey ?? null,
  };
}

/** Adds what is not given, from the file or made. */
async function completed(
  given: SomeSecrets,
  config: Pick<Config, 'production' | 'dataDirectory'>,
): Promise<SomeSecrets> {
  const names = [...NAMES, 'pushKey'] as const;
  if (names.every((name) => given[name] !== undefined)) return given;
  const { dataDirectory, production } = config;
  const stored = readStoredSecrets(dataDirectory);
  const absent = names.filter((name) => (given[name] ?? stored?.[name]) === undefined);
  if (absent.length === 0) {
    return Object.fromEntries(names.map((name) => [name, given[name] ?? stored?.[name]]));
  }
  const vital = NAMES.filter((name) => absent.includes(name));
  if (production && vital.length > 0 && existsSync(join(dataDirectory, 'postgres', 'PG_VERSION'))) {
    throw new OperatorError(
      `${dataDirectory} contains a database, but not the secrets that it was used with. Restore its secrets.json, or set ${vital.map((name) => VARIABLES[name]).join(', ')}.`,
    );
  }
  const made = await makeSecrets();
  const missing = Object.fromEntries(absent.map((name) => [name, made[name]]));
  // Of two first starts at once, both use the secrets of the first.
  await storeJson(fileIn(dataDirectory).path, { ...stored, ...missing }, { isNew: stored === undefined });
  return completed(given, config);
}

function fileIn(dataDirectory: string): StoredJson<typeof fileSchema> {
  return {
    path: join(dataDirectory, 'secrets.json'),
    schema: fileSchema,
    what: 'The secrets',
    remedy: 'Restore the file from a backup.',
  };
}

/**
 * Returns the secrets that a server has made, or undefined where it has made none.
 *
 * @throws OperatorError where they cannot be read. No error has any of their text.
 */
export function readStoredSecrets(dataDirectory: string): SomeSecrets | undefined {
  return readStoredJson(fileIn(dataDirectory));
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
