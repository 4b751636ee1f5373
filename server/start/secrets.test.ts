import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { inWritableFolder } from '#server/data-folder/writable-folder.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { loadSecrets, makeSecrets } from './secrets.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://lost.example.org',
  SMTP_URL: 'smtp://mail.example.org',
  MAIL_FROM: 'noreply@lost.example.org',
};

const load = async (DATA_DIRECTORY: string, more: Readonly<Record<string, string>> = {}) =>
  loadSecrets(readConfig({ ...PRODUCTION, DATA_DIRECTORY, ...more }));

const failure = (loading: Promise<unknown>) =>
  loading.then(
    () => 'It was loaded.',
    (error: Error) => `${error.name}: ${error.message}`,
  );

test('a production server with the embedded database makes its secrets once, for itself alone [J65]', async () => {
  const folder = join(await temporaryFolder(), 'data');
  const all = await Promise.all(Array.from({ length: 20 }, () => load(folder)));
  for (const secrets of all) expect(secrets).toEqual(all[0]);
  expect(await load(folder)).toEqual(all[0]);
  expect((await load(folder)).pushKey).not.toBeNull();
  expect(await readdir(folder)).toEqual(['secrets.json']);
  expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
});

test('a setting wins over the file, which has only what no setting gave', async () => {
  const folder = await temporaryFolder();
  const SECRET_KEY = `sb_secret_${'s'.repeat(32)}`;
  expect((await load(folder, { SECRET_KEY })).secretKey).toBe(SECRET_KEY);
  const stored = await readFile(join(folder, 'secrets.json'), 'utf8');
  expect(stored).not.toContain('secretKey');
  const PUBLISHABLE_KEY = `sb_publishable_${'p'.repeat(24)}`;
  expect(await load(folder, { SECRET_KEY, PUBLISHABLE_KEY })).toMatchObject({
    secretKey: SECRET_KEY,
    publishableKey: PUBLISHABLE_KEY,
  });
  expect(await readFile(join(folder, 'secrets.json'), 'utf8')).toBe(stored);
});

test('a database without the secrets that it was used with gets no others; the key of notifications can be made later [J65]', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'postgres'));
  await writeFile(join(folder, 'postgres/PG_VERSION'), '18\n');
  expect(await failure(load(folder))).toMatch(
    /OperatorError: .* not the secrets .* secrets\.json, or set JWT_KEYS, REFRESH_TOKEN_SECRET, PUBLISHABLE_KEY, SECRET_KEY\.$/,
  );
  expect(await readdir(folder)).toEqual(['postgres']);

  const made = await makeSecrets();
  const given = {
    JWT_KEYS: JSON.stringify(made.jwtKeys),
    REFRESH_TOKEN_SECRET: made.refreshTokenSecret,
    PUBLISHABLE_KEY: made.publishableKey,
    SECRET_KEY: made.secretKey,
  };
  const { pushKey } = await load(folder, given);
  expect(pushKey).toMatch(/^[\w-]{43}$/);
  expect(JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))).toEqual({ pushKey });
  const { SECRET_KEY: _gone, ...others } = given;
  expect(await failure(load(folder, others))).toMatch(/or set SECRET_KEY\.$/);
});

test('with a database of the operator nothing is made: the folder may not last as long, and another server may share the database [J65]', async () => {
  const folder = await temporaryFolder();
  const DATABASE_URL = 'postgres://reunite@db/reunite';
  expect(await failure(load(folder, { DATABASE_URL }))).toMatch(
    /^OperatorError: JWT_KEYS is missing: with DATABASE_URL, the secrets have to be given/,
  );
  expect(await readdir(folder)).toEqual([]);
});

test('a file that cannot be read is named without its text, and so is a folder that cannot be written to [J65]', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'secrets.json'), '{"secretKey":"sb_secret_canary');
  const unread = await failure(load(folder));
  expect(unread).toMatch(/^OperatorError: The secrets in .*secrets\.json cannot be read/);
  expect(unread).not.toContain('canary');
  const unwritten = failure(inWritableFolder(join(folder, 'secrets.json', 'data'), async () => undefined));
  expect(await unwritten).toMatch(/^OperatorError: DATA_DIRECTORY, .* cannot be written to \(ENOTDIR\)/);
});
