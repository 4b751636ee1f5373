import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startS3Server } from '#tests/support/s3/start-s3-server.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { emptyDatabase, makeBackup, runBackup, withClient } from './run-backup.ts';

const database = await createTestDatabase();

async function objectStore() {
  const s3 = await startS3Server('reunite-files');
  const environment = {
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: 'reunite-files',
    S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
  };
  return { s3, environment };
}

test('files of an object store are backed up and restored to another one; a failure leaves neither rows nor files [K98]', async () => {
  const [{ s3, environment }, other] = [await objectStore(), await objectStore()];
  const server = await startTestServer(database, { environment });
  const storage = server.client({ key: server.secrets.secretKey }).storage;
  await storage.createBucket('papers');
  for (const name of ['a', 'b', 'c']) await storage.from('papers').upload(name, `File ${name}`);
  await server.stop();
  const file = await makeBackup({ address: database.address, folder: await temporaryFolder(), environment });

  const target = {
    address: await emptyDatabase(),
    folder: await temporaryFolder(),
    environment: other.environment,
  };
  other.s3.failNext(503, 6);
  expect(await runBackup(target, 'restore', file)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('The restore failed: The object store responded 503'),
  });
  expect(other.s3.objects.size).toBe(0);
  const tables = await withClient(target.address, (client) =>
    client.query(`select from pg_class where relnamespace = 'public'::regnamespace`),
  );
  expect(tables.rows).toEqual([]);

  other.s3.failNext(200, 0);
  expect(await runBackup(target, 'restore', file)).toMatchObject({ code: 0 });
  const contents = (store: typeof s3) => [...store.objects].map(([key, { bytes }]) => [key, `${bytes}`]).sort();
  expect(contents(other.s3)).toEqual(contents(s3));
  expect(contents(s3)).toHaveLength(3);
  expect(await readdir(join(target.folder, 'storage/arriving'))).toEqual([]);
});
