import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { readStoredJson, type StoredJson, storeJson } from '#server/data-folder/stored-json.ts';
import { PROJECT_ROOT } from '#server/project-root.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** As they would stand in the environment. Readers check them like it. */
const schema = v.partial(
  v.object({
    PRODUCT_NAME: v.string(),
    PUBLIC_URL: v.string(),
    STICKER_URL: v.string(),
    TRUSTED_PROXIES: v.string(),
    SMTP_URL: v.string(),
    MAIL_FROM: v.string(),
    /** Until the first start has made the account. No setting of the environment. */
    FIRST_OPERATOR: v.object({ email: v.string(), passwordHash: v.string() }),
  }),
);

/** The settings that a person gave on the set-up page, kept in `settings.json` of the data folder (mode 0600). */
export type StoredSettings = v.InferOutput<typeof schema>;

/**
 * Whether settings may come from the set-up page: those of a production server with the embedded database, whose folder
 * they are kept in. With `DATABASE_URL`, that folder may not last, and each of several servers would ask by itself.
 */
export function mayBeSetUp({ NODE_ENV, DATABASE_URL }: Environment): boolean {
  return NODE_ENV?.trim() === 'production' && isBlank(DATABASE_URL);
}

/**
 * Adds the stored settings to an environment. What it gives itself wins.
 *
 * @throws OperatorError where the file cannot be read. The message never contains its text.
 */
export function withStoredSettings(environment: Environment): Environment {
  if (!mayBeSetUp(environment)) return environment;
  const settings = { ...environment };
  const { FIRST_OPERATOR: _, ...stored } = readStoredJson(fileIn(dataDirectoryOf(environment))) ?? {};
  for (const [name, value] of Object.entries(stored)) {
    if (isBlank(settings[name])) settings[name] = value;
  }
  return settings;
}

/**
 * Stores settings, durably. Returns false where another process has already stored them, which wins.
 *
 * @throws OperatorError where the folder cannot be written to
 */
export async function storeSettings(dataDirectory: string, settings: StoredSettings): Promise<boolean> {
  const file = fileIn(dataDirectory);
  const before = readStoredJson(file);
  // Some may be there from when the environment gave the others.
  if (before !== undefined && Object.keys(settings).every((name) => Object.hasOwn(before, name))) return false;
  return storeJson(file.path, { ...before, ...settings }, { isNew: before === undefined });
}

/** Returns the operator whose account is to be made, or undefined. */
export function readFirstOperator(dataDirectory: string): StoredSettings['FIRST_OPERATOR'] {
  return readStoredJson(fileIn(dataDirectory))?.FIRST_OPERATOR;
}

/** Removes the operator whose account was made. */
export async function forgetFirstOperator(dataDirectory: string): Promise<void> {
  const file = fileIn(dataDirectory);
  const { FIRST_OPERATOR: _, ...settings } = readStoredJson(file) ?? {};
  await storeJson(file.path, settings, { isNew: false });
}

function fileIn(dataDirectory: string): StoredJson<typeof schema> {
  return {
    path: join(dataDirectory, 'settings.json'),
    schema,
    what: 'The settings',
    remedy: 'Restore the file, or remove it to be asked for them again.',
  };
}

function dataDirectoryOf({ DATA_DIRECTORY }: Environment): string {
  return resolve(PROJECT_ROOT, isBlank(DATA_DIRECTORY) ? '.data' : (DATA_DIRECTORY ?? ''));
}

/** Many tools set an empty variable to mean "not set". */
export function isBlank(value: string | undefined): boolean {
  return (value ?? '').trim() === '';
}
