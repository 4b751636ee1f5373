import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layBreakableLine } from '#tests/support/breakable-line.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { startS3Server } from '#tests/support/s3/start-s3-server.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { aPicture, aPictureName } from './support/pictures.ts';

const database = await createTestDatabase();
const dataDirectory = await temporaryFolder();
const server = await startTestServer(database, { dataDirectory });
const storageFolder = join(dataDirectory, 'storage');

const service = ({ client, secrets }: TestServer) => client({ key: secrets.secretKey }).storage;
await service(server).createBucket('files');
const files = service(server).from('files');

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(storageFolder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function versionsIn(bucket: string): Promise<string[]> {
  const rows = await database.query<{ version: string }>(
    `select version from storage.objects where bucket_id = $1
       union all
       select rendition ->> 'version' from storage.objects, jsonb_array_elements(renditions) as rendition where bucket_id = $1`,
    [bucket],
  );
  return rows.map(({ version }) => version);
}

/** Has the sweep done as the clock does it, and waits for its end. */
async function sweep(): Promise<void> {
  const [job] = await database.query<{ id: string }>("select id from graphile_worker.add_job('sweep_storage')");
  await expect.poll(() => database.query('select 1 from graphile_worker.jobs where id = $1', [job?.id])).toEqual([]);
}

test('the file of a replaced or removed object is removed too, also when SQL removes the row', async () => {
  await files.upload('a.txt', 'first');
  const [first] = await versionsIn('files');
  await files.upload('a.txt', 'second', { upsert: true });
  const [second] = await versionsIn('files');
  expect(second).not.toBe(first);
  await expect.poll(storedFiles).toEqual([second]);
  await database.query("delete from storage.objects where bucket_id = 'files'");
  await expect.poll(storedFiles).toEqual([]);
});

test('an upload that is interrupted, at every tenth of its length, leaves neither row nor file [E41]', async () => {
  const body = Buffer.alloc(1_000_000, 'x');
  for (let tenth = 0; tenth < 10; tenth += 1) {
    await new Promise<void>((done) => {
      const sending = request(`${server.url}/storage/v1/object/files/broken-${tenth}.bin`, {
        method: 'POST',
        headers: {
          apikey: server.secrets.secretKey,
          'Content-Type': 'application/octet-stream',
          'Content-Length': body.length,
        },
      });
      sending.on('error', () => undefined);
      sending.on('close', done);
      sending.write(body.subarray(0, (body.length * tenth) / 10), () => sending.destroy());
    });
  }
  // The server notices later. A file that comes after the check below would not be found by it, and would be moved away
  // with its folder, and so survive, in the next test.
  const ended = () => server.logged.filter((line) => /"area":"\/storage\/v1\/","status":400/.test(line));
  await expect.poll(ended).toHaveLength(10);
  expect((await files.upload('whole.bin', body)).error).toBeNull();
  expect((await files.list()).data?.map(({ name }) => name)).toEqual(['whole.bin']);
  await expect.poll(storedFiles).toEqual(await versionsIn('files'));
  await files.remove(['whole.bin']);
});

test('a disk that refuses writes gives 503 and no row, and uploads work again once the disk does [I57]', async () => {
  const [arriving, aside] = [join(storageFolder, 'arriving'), join(storageFolder, 'aside')];
  await rename(arriving, aside);
  await writeFile(arriving, '');
  const refused = await files.upload('a.txt', 'x');
  expect(refused.error).toMatchObject({ status: 503, code: 'ServiceUnavailable' });
  expect(await versionsIn('files')).toEqual([]);
  await rm(arriving);
  await rename(aside, arriving);
  expect((await files.upload('a.txt', 'x')).error).toBeNull();
  await files.remove(['a.txt']);
});

test('a row whose commit was never acknowledged has its file [I58]', async () => {
  const line = await layBreakableLine(database.address);
  const cutOff = await startTestServer({ address: line.address }, { dataDirectory, secrets: server.secrets });
  // The commit takes a while, and continues after the connection has ended.
  await database.query(`
    create function public.take_a_while() returns trigger language plpgsql as 'begin perform pg_sleep(2); return null; end';
    create constraint trigger take_a_while after insert on storage.objects deferrable initially deferred
      for each row when (new.name = 'slow.txt') execute function public.take_a_while()`);
  const uploading = service(cutOff).from('files').upload('slow.txt', 'whole');
  const committing = () =>
    database.query("select 1 from pg_stat_activity where query = 'commit' and wait_event = 'PgSleep'");
  await expect.poll(committing).toHaveLength(1);
  await line.cut();
  await line.mend();
  expect((await uploading).error).toMatchObject({ status: 503 });
  await expect.poll(() => versionsIn('files')).toHaveLength(1);
  expect(await (await files.download('slow.txt')).data?.text()).toBe('whole');
  await database.query('drop trigger take_a_while on storage.objects; drop function public.take_a_while');
  // Else it may take the job that deletes the file, and give it back for later when it is stopped.
  await cutOff.stop();
  await files.remove(['slow.txt']);
  // A job that a stopped server has released runs next; one that it still held is taken over after 20 s.
  await expect.poll(storedFiles, { timeout: 40_000 }).toEqual([]);
});

test('the sweep removes files without a row, abandoned uploads, and pictures that are shown nowhere [E41]', async () => {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const client = server.client({ token: await server.token(owner.caller.claims) });
  const [shown, unused, recent] = [aPictureName(), aPictureName(), aPictureName()];
  const jpeg = await aPicture().jpeg().toBuffer();
  for (const name of [shown, unused, recent]) await client.storage.from('item-photos').upload(name, jpeg);
  await client.from('items').update({ photo: shown }).eq('id', item.id);
  await database.query("update storage.objects set created_at = now() - interval '25 hours' where name in ($1, $2)", [
    shown,
    unused,
  ]);
  const twoHoursAgo = (server.clock.now() - 2 * 3_600_000) / 1000;
  const [orphan, arriving] = [randomUUID(), randomUUID()];
  const old = [join('blobs', orphan.slice(0, 2), orphan), join('arriving', arriving)];
  await mkdir(join(storageFolder, 'blobs', orphan.slice(0, 2)), { recursive: true });
  for (const path of old) {
    await writeFile(join(storageFolder, path), 'x');
    await utimes(join(storageFolder, path), twoHoursAgo, twoHoursAgo);
  }
  // Files with a row stay, however old.
  for (const version of await versionsIn('item-photos')) {
    await utimes(join(storageFolder, 'blobs', version.slice(0, 2), version), twoHoursAgo, twoHoursAgo);
  }
  const fresh = randomUUID();
  await writeFile(join(storageFolder, 'arriving', fresh), 'x');

  await sweep();
  const names = await database.query<{ name: string }>(
    "select name from storage.objects where bucket_id = 'item-photos'",
  );
  expect(names.map(({ name }) => name).toSorted()).toEqual([shown, recent].toSorted());
  const kept = [...(await versionsIn('item-photos')), fresh].toSorted();
  await expect.poll(async () => (await storedFiles()).toSorted()).toEqual(kept);
});

test('with an object store, the contents are in it and not on the disk', async () => {
  const s3 = await startS3Server('reunite-files');
  const folder = await temporaryFolder();
  // The queue is one: the server that keeps files on its disk must not take the jobs of this one.
  await server.stop();
  const other = await startTestServer(database, {
    dataDirectory: folder,
    environment: {
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: 'reunite-files',
      S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    },
  });
  const there = service(other).from('in-s3');
  await service(other).createBucket('in-s3');
  expect((await there.upload('a/b.txt', 'kept far away')).error).toBeNull();
  expect(await (await there.download('a/b.txt')).data?.text()).toBe('kept far away');
  expect([...s3.objects.keys()]).toEqual(await versionsIn('in-s3'));
  expect(await readdir(join(folder, 'storage'), { recursive: true })).toEqual(['arriving']);

  s3.failNext(503, 100);
  expect((await there.upload('c.txt', 'x')).error).toMatchObject({ status: 503 });
  s3.failNext(200, 0);
  expect((await there.list()).data?.map(({ name }) => name)).toEqual(['a']);
  await there.remove(['a/b.txt']);
  await expect.poll(() => s3.objects.size).toBe(0);
});
