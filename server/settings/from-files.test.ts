import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEnvironment } from '#server/config.ts';
import { OperatorError } from '#server/operator-error.ts';

const folder = await mkdtemp(join(tmpdir(), 'reunite-settings-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content, { mode: 0o600 });
  await chmod(path, 0o600);
  return path;
}

test('a setting is read from the file that its variable names, without the line break at its end', async () => {
  const SMTP_URL_FILE = await file('smtp', 'smtp://user:p%23ss@mail.example.org\n');
  const settings = readEnvironment({ PORT: '4000', SMTP_URL_FILE });
  expect(settings).toEqual({ PORT: '4000', SMTP_URL: 'smtp://user:p%23ss@mail.example.org' });
});

test('a blank variable names no file, and the file variable of another program stays', () => {
  expect(readEnvironment({ SECRET_KEY_FILE: ' ', SSL_CERT_FILE: '/etc/ssl/cert.pem' })).toEqual({
    SECRET_KEY_FILE: ' ',
    SSL_CERT_FILE: '/etc/ssl/cert.pem',
  });
});

test('each unusable file is named with its reason, and no file’s text', async () => {
  const both = await file('both', 'canary-secret');
  const empty = await file('empty', '\n');
  const large = await file('large', 'x'.repeat(1_048_577));
  const read = () =>
    readEnvironment({
      SECRET_KEY: 'sb_secret_given',
      SECRET_KEY_FILE: both,
      REFRESH_TOKEN_SECRET_FILE: empty,
      JWT_KEYS_FILE: large,
      SMTP_URL_FILE: join(folder, 'missing'),
      DATABASE_URL_FILE: folder,
      MAIL_FROM_FILE: '/dev/zero',
    });
  expect(read).toThrow(OperatorError);
  let message = '';
  try {
    read();
  } catch (error) {
    message = String(error);
  }
  expect(message).not.toContain('canary-secret');
  expect(message).not.toContain('sb_secret_given');
  for (const said of [
    'SECRET_KEY and SECRET_KEY_FILE are both set: use one of them.',
    `REFRESH_TOKEN_SECRET_FILE names ${empty}, which is empty.`,
    `JWT_KEYS_FILE names ${large}, which is larger than 1 MiB.`,
    `SMTP_URL_FILE names ${join(folder, 'missing')}, which cannot be read (ENOENT).`,
    `DATABASE_URL_FILE names ${folder}, which is not a file.`,
    'MAIL_FROM_FILE names /dev/zero, which is not a file.',
  ]) {
    expect(message).toContain(said);
  }
});
