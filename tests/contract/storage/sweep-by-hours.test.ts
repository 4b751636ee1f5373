import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { beginningsOf, type KeyRange } from '#server/storage/blobs/blob-store.ts';
import { sweepStorage } from '#server/storage/sweep-storage.ts';
import { dependenciesForJobs } from '#tests/jobs/dependencies-for-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const database = await createTestDatabase();
const HOUR_MS = 3_600_000;

/** A picture for each of the 256 beginnings of a key, uploaded two days ago, and a file without a row for each. */
async function fill(owner: TestOwner): Promise<Map<string, number>> {
  await database.query(
    `insert into storage.objects (id, bucket_id, name, owner, created_at)
       select (lpad(to_hex(n), 2, '0') || substr(gen_random_uuid()::text, 3))::uuid,
           case when n % 2 = 0 then 'item-photos' else 'avatars' end, md5(random()::text) || '.webp', $1, now() - interval '2 days'
         from generate_series(0, 255) as n`,
    [owner.id],
  );
  return new Map(beginningsOf({ first: 0, last: 255 }).map((beginning) => [beginning + randomUUID().slice(2), 0]));
}

/** What a sweep needs, with these files in place of a disk. */
function partsWith(files: Map<string, number>, sweepSpool = async () => 0) {
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  whenDone(() => dependencies.database.close());
  const blobs = {
    remove: async (key: string) => void files.delete(key),
    async *list({ first, last }: KeyRange) {
      for (const [key, storedAt] of files) {
        const beginning = Number.parseInt(key.slice(0, 2), 16);
        if (beginning >= first && beginning <= last) yield { key, storedAt };
      }
    },
  };
  return {
    ...dependencies,
    files: { blobs, spool: { sweep: sweepSpool } } as unknown as typeof dependencies.files,
  };
}

const pictures = async () => (await database.query('select from storage.objects')).length;

test('a large storage is swept within a day, a 24th of it each hour', async () => {
  const owner = await createOwner(database);
  const files = await fill(owner);
  const item = await createItem(database, owner);
  const [shown] = await database.query<{ name: string }>(
    "select name from storage.objects where bucket_id = 'item-photos' order by id desc limit 1",
  );
  await database.query('update public.items set photo = $1 where id = $2', [shown?.name, item.id]);
  const parts = partsWith(files);
  const midnight = Date.UTC(2026, 0, 1);
  const left: [number, number][] = [];
  for (let hour = 0; hour < 24; hour += 1) {
    await sweepStorage({ ...parts, now: () => midnight + hour * HOUR_MS }, { wholeUntilBytes: 0 });
    left.push([await pictures(), files.size]);
  }
  expect(left.at(0)).toEqual([246, 246]);
  expect(left.at(11)).toEqual([128, 128]);
  // The picture that an item shows stays.
  expect(left.at(-1)).toEqual([1, 0]);
});

test('a step of the sweep that fails does not stop the next ones, and is reported', async () => {
  const files = await fill(await createOwner(database));
  await database.query(`
    create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before delete on storage.objects for each row execute function public.refuse()`);
  const before = await pictures();
  let spoolSweeps = 0;
  const parts = partsWith(files, async () => {
    spoolSweeps += 1;
    return 0;
  });
  await expect(sweepStorage({ ...parts, now: () => Date.UTC(2026, 0, 1) })).rejects.toThrow('refused');
  expect(await pictures()).toBe(before);
  expect([files.size, spoolSweeps]).toEqual([0, 1]);
});
