import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { emptyDatabase, runBackup, sumsOf } from './run-backup.ts';

const database = await createTestDatabase();
const folder = await temporaryFolder();
const here = { address: database.address, folder };
const keyFile = join(folder, 'key');
const made = await runBackup(here, 'create-key', keyFile);
const [publicKey = ''] = made.stdout.split('\n');
await database.query(
  `insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), 'olive@example.com', now())`,
);
const created = await runBackup(here, 'create', '--to-key', publicKey);
const [file = ''] = created.stdout.split('\n');

test('a backup for a public key is restored with its key alone [K98]', async () => {
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  expect(created).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/\.tar\.age$/m) });
  const bytes = await readFile(file);
  expect(bytes.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
  expect(bytes.includes('backup.json')).toBe(false);
  const listed = await runBackup(here, 'list', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject([{ file, encrypted: true, moment: expect.stringMatching(/Z$/) }]);

  const target = { address: await emptyDatabase(), folder: await temporaryFolder() };
  expect((await runBackup(target, 'restore', file)).stderr).toContain('encrypted. Add --key-file');
  const otherKey = join(folder, 'other-key');
  await runBackup(here, 'create-key', otherKey);
  const refused = await runBackup(target, 'restore', file, '--key-file', otherKey);
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('key does not open the backup'),
  });
  expect(await runBackup(target, 'restore', file, '--key-file', keyFile)).toMatchObject({ code: 0 });
  expect(await sumsOf(target.address)).toEqual(await sumsOf(database.address));
});

test('one flipped bit of an encrypted backup, and its missing end, are refused [K98]', async () => {
  const whole = await readFile(file);
  const spoilt = join(folder, 'spoilt');
  const places = Array.from({ length: 8 }, () => Math.floor(Math.random() * whole.byteLength));
  for (const at of [0, 30, 100, 180, whole.byteLength - 1, ...places]) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(spoilt, bytes);
    const ran = await runBackup(here, 'verify', spoilt, '--key-file', keyFile);
    expect(ran, `byte ${at}`).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('damaged') });
  }
  await writeFile(spoilt, whole.subarray(0, -1));
  expect((await runBackup(here, 'verify', spoilt, '--key-file', keyFile)).stderr).toContain('damaged');
});

test('what is no public key is refused, and leaves no file', async () => {
  const own = join(folder, 'own');
  const ran = await runBackup(here, 'create', '--folder', own, '--to-key', 'age1nothing');
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('public key of age') });
  expect(await readdir(own)).toEqual([]);
});
