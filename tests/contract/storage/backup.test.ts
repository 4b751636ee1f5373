import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';

const [database, restored] = [await createTestDatabase(), await createTestDatabase()];
const [folder, copy] = [await temporaryFolder(), await temporaryFolder()];
const HOUR_MS = 3_600_000;
const kept = { STORAGE_KEEP_REMOVED_HOURS: '24' };

const service = ({ client, secrets }: TestServer) => client({ key: secrets.secretKey }).storage;

async function sweep(on: TestDatabase): Promise<void> {
  const [job] = await on.query<{ id: string }>("select id from graphile_worker.add_job('sweep_storage')");
  await expect.poll(() => on.query('select from graphile_worker.jobs where id = $1', [job?.id])).toEqual([]);
}

test('a copy of the database and then of the files, made while objects are added and removed, is complete [K10]', async () => {
  const server = await startTestServer(database, { dataDirectory: folder, environment: kept });
  await service(server).createBucket('files', { public: true });
  const files = service(server).from('files');
  for (let index = 0; index < 40; index += 1) await files.upload(`${index}.txt`, `first ${index}`);

  // People go on with replacing, removing and uploading.
  let rounds = 0;
  let isOver = false;
  const load = (async () => {
    for (; !isOver; rounds += 1) {
      const name = `${rounds % 40}.txt`;
      if (rounds % 3 === 0) await files.remove([name]);
      else await files.upload(name, `round ${rounds}`, { upsert: true });
    }
  })();
  const during = async (more: number) => {
    const from = rounds;
    await expect.poll(() => rounds).toBeGreaterThan(from + more);
  };
  await during(20);

  // The database: one snapshot, as pg_dump takes it.
  const backup = await database.query<{ buckets: unknown; objects: unknown; removed: unknown }>(`
    select (select jsonb_agg(bucket) from storage.buckets as bucket where id = 'files') as buckets,
      (select jsonb_agg(object) from storage.objects as object) as objects,
      (select jsonb_agg(kept_file) from internal.removed_files as kept_file) as removed`);
  // By the time the files are copied, every object of the snapshot has been replaced or removed, and swept.
  await during(80);
  server.clock.advance(2 * HOUR_MS);
  await sweep(database);
  await cp(join(folder, 'storage/blobs'), join(copy, 'storage/blobs'), { recursive: true });
  isOver = true;
  await load;
  await server.stop();

  await restored.query(
    `with buckets as (
       insert into storage.buckets select * from jsonb_populate_recordset(null::storage.buckets, $1) returning 1
     ), removed as (
       insert into internal.removed_files select * from jsonb_populate_recordset(null::internal.removed_files, $3) returning 1
     )
     insert into storage.objects select * from jsonb_populate_recordset(null::storage.objects, $2)`,
    [backup[0]?.buckets, backup[0]?.objects, backup[0]?.removed].map((rows) => JSON.stringify(rows)),
  );
  const other = await startTestServer(restored, { dataDirectory: copy, environment: kept });
  const rows = await restored.query<{ name: string }>('select name from storage.objects');
  expect(rows.length).toBeGreaterThan(20);
  await sweep(restored);
  for (const { name } of rows) {
    const response = await other.request(`/storage/v1/object/public/files/${name}`);
    expect(response.status, name).toBe(200);
    expect(await response.text()).toMatch(/^(first|round) \d+$/);
  }
});

test('the file of a removed object is unreachable at once, and removed when its time is over', async () => {
  const dataDirectory = await temporaryFolder();
  const server = await startTestServer(database, { dataDirectory, environment: kept });
  const stored = async () => {
    const entries = await readdir(join(dataDirectory, 'storage/blobs'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };
  const files = service(server).from('files');
  await files.upload('secret.txt', 'gone');
  const before = await stored();
  await files.remove(['secret.txt']);
  expect((await server.request('/storage/v1/object/public/files/secret.txt')).status).toBe(400);

  server.clock.advance(23 * HOUR_MS);
  await sweep(database);
  expect(await stored()).toEqual(before);
  server.clock.advance(2 * HOUR_MS);
  await sweep(database);
  expect(await stored()).toEqual([]);
  expect(await database.query('select from internal.removed_files where file = any ($1)', [before])).toEqual([]);
});
