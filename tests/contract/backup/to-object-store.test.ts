import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startS3Server } from '#tests/support/s3/start-s3-server.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { emptyDatabase, makeBackup, runBackup, sumsOf, urlOf } from './run-backup.ts';

const database = await createTestDatabase();
const folder = await temporaryFolder();
const s3 = await startS3Server('our-backups');
const place = 's3://our-backups/reunite/daily';
const environment = {
  S3_ENDPOINT: s3.endpoint,
  S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
  BACKUP_TO: place,
};
const here = { address: database.address, folder, environment };
const listed = async () => JSON.parse((await runBackup(here, 'list', '--folder', place, '--json')).stdout);
const backups = () => [...s3.objects.keys()].filter((key) => /^reunite\/daily\/reunite-[^e]/.test(key)).sort();

// More than two parts.
const server = await startTestServer(database, { dataDirectory: folder, environment });
const storage = server.client({ key: server.secrets.secretKey }).storage;
await storage.createBucket('papers', { public: true });
const contents = Array.from({ length: 5 }, () => randomBytes(8 * 1024 * 1024));
for (const [name, content] of contents.entries()) await storage.from('papers').upload(`${name}`, content);
await server.stop();

test('a backup in an object store is listed, verified, and restored with equal tables and files [K98]', async () => {
  s3.objects.set('reunite/daily/further/reunite-2025-01-01T00-00-00Z.tar', {
    bytes: Buffer.of(1),
    storedAt: new Date(),
  });
  const file = await makeBackup(here, place);
  expect(file).toMatch(/^s3:\/\/our-backups\/reunite\/daily\/reunite-[\dTZ-]+\.tar$/);
  expect(s3.uploads.size).toBe(0);
  expect(await listed()).toEqual([
    {
      file,
      size: s3.objects.get(backups()[0] ?? '')?.bytes.byteLength,
      moment: expect.stringMatching(/Z$/),
      release: expect.any(String),
      encrypted: false,
    },
  ]);
  expect(await runBackup(here, 'verify', file)).toMatchObject({ code: 0, stderr: '' });

  const target = { address: await emptyDatabase(), folder: await temporaryFolder(), environment };
  const restored = await runBackup(target, 'restore', file);
  expect(restored, restored.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toContain('Nothing that ended after the backup is there again');
  expect(await sumsOf(target.address)).toEqual(await sumsOf(database.address));
  const again = await startTestServer(target, { dataDirectory: target.folder, secrets: server.secrets });
  for (const [name, content] of contents.entries()) {
    const response = await again.request(`/storage/v1/object/public/papers/${name}`);
    expect(content.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
  }
  await again.stop();
});

test('a backup that fails half-way is neither in the object store nor among its uploads [K98]', async () => {
  const before = backups();
  const running = runBackup(here, 'create', '--folder', place);
  await expect.poll(() => [...s3.uploads.values()].some(({ parts }) => parts.size > 0), { interval: 5 }).toBe(true);
  s3.failNext(400, 1);
  expect(await running).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('responded 400') });
  expect(backups()).toEqual(before);
  expect(s3.uploads.size).toBe(0);
});

test('a run that is killed half-way leaves nothing that is listed, and a day later the next one ends its upload [K98]', async () => {
  const before = await listed();
  const child = spawn(process.execPath, ['tools/reunite.ts', 'backup', 'create', '--folder', place], {
    cwd: resolve(import.meta.dirname, '../../..'),
    env: { PATH: process.env.PATH, DATABASE_URL: urlOf(database.address), DATA_DIRECTORY: folder, ...environment },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  await expect.poll(() => [...s3.uploads.values()].some(({ parts }) => parts.size > 0), { interval: 5 }).toBe(true);
  child.kill('SIGKILL');
  expect((await exit)[1]).toBe('SIGKILL');
  expect(await listed()).toEqual(before);
  const [[id, upload] = []] = s3.uploads;
  if (id === undefined || upload === undefined) throw new Error('No upload was left.');

  // It may be the upload of another machine.
  await makeBackup(here, place);
  expect([...s3.uploads.keys()]).toEqual([id]);
  s3.uploads.set(id, { ...upload, begunAt: new Date(Date.now() - 25 * 3_600_000) });
  await expect.poll(() => runBackup(here, 'create', '--folder', place)).toMatchObject({ code: 0 });
  expect(s3.uploads.size).toBe(0);
});

test('one flipped bit, and an object that is not there, are refused [K98]', async () => {
  const [key = ''] = backups();
  const { bytes, storedAt } = s3.objects.get(key) ?? { bytes: Buffer.alloc(0), storedAt: new Date() };
  const spoilt = Buffer.from(bytes);
  const at = Math.floor(Math.random() * spoilt.byteLength);
  spoilt[at] = (spoilt[at] ?? 0) ^ 1;
  s3.objects.set(key, { bytes: spoilt, storedAt });
  const ran = await runBackup(here, 'verify', `s3://our-backups/${key}`);
  expect(ran, `byte ${at}`).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('damaged') });
  s3.objects.set(key, { bytes, storedAt });
  const missing = `${place}/reunite-2020-01-01T00-00-00Z.tar`;
  expect((await runBackup(here, 'verify', missing)).stderr).toContain(`There is no ${missing}`);
});

test('the service backs up to an object store by itself, and thins what is there [K98]', async () => {
  for (const key of backups()) s3.objects.delete(key);
  const old = ['2025-01-01', '2025-01-02', '2025-01-03'].map((day) => `reunite/daily/reunite-${day}T00-00-00Z.tar`);
  for (const key of old) s3.objects.set(key, { bytes: Buffer.from('of before'), storedAt: new Date() });
  s3.objects.set('reunite/daily/reunite-endings-2025-01-02.txt', { bytes: Buffer.from('-'), storedAt: new Date() });
  const scheduled = await startTestServer(database, {
    dataDirectory: folder,
    environment: { ...environment, BACKUP_SCHEDULE: 'daily 00:00', BACKUP_KEEP: '2 daily 0 weekly 0 monthly' },
  });
  await database.query(`select graphile_worker.add_job('back_up', queue_name := 'back_up')`);
  await expect.poll(() => scheduled.logged.filter((line) => line.includes('A backup was made'))).toHaveLength(1);
  await expect.poll(backups).toEqual([old[2], expect.any(String)]);
  await expect.poll(() => [...s3.objects.keys()]).not.toContain('reunite/daily/reunite-endings-2025-01-02.txt');
  const state = await scheduled.client({ key: scheduled.secrets.secretKey }).rpc('look_at_service');
  expect(state.data?.backup).toMatchObject({ every: 'day', works: true, free: null, age_seconds: expect.any(Number) });
  const newest = `s3://our-backups/${backups()[1]}`;
  expect(await runBackup(here, 'verify', newest)).toMatchObject({ code: 0 });
  await scheduled.stop();
});

test('an object store without its settings, and the bucket of uploaded files, are refused', async () => {
  const without = { address: database.address, folder };
  expect(await runBackup(without, 'create', '--folder', place)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('S3_ENDPOINT, S3_ACCESS_KEY_ID, and S3_SECRET_ACCESS_KEY'),
  });
  const shared = { ...here, environment: { ...environment, BACKUP_TO: join(folder, 'own'), S3_BUCKET: 'our-backups' } };
  expect(await runBackup(shared, 'create', '--folder', place)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Backups need a bucket of their own.'),
  });
});
