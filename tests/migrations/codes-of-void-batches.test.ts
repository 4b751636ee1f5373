import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { MIGRATIONS } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createEmptyDatabase } from './empty-database.ts';
import { migrationsUpTo } from './migration-folder.ts';

/** The last migration that left a freed code of a void batch free. */
const BEFORE = 86;

test('a code that lost its owner after its batch was voided becomes void, and no other code does', async () => {
  const database = await createEmptyDatabase(thisCluster().address);
  onTestFinished(database.drop);
  await migrate({ address: database.address, directory: await migrationsUpTo(BEFORE), log: quietLog });
  await database.query(`
    with owner as (insert into auth.users (id) values (gen_random_uuid()) returning id),
      batch as (
        insert into public.sticker_batches (label, issued_by, size, recorded, voided_at, void_reason)
          values ('Void', 'olga', 3, 3, now(), 'Stolen'), ('Sound', 'olga', 1, 1, null, null)
          returning id, label
      )
    insert into public.qr_codes (qr_id, batch_id, batch_place, owner_id, voided_at, void_reason, issued_at)
      select given.qr_id, batch.id, given.place, case when given.is_claimed then owner.id end,
          case when given.reason is not null then now() end, given.reason, now()
        from (values ('tgt-freed', 'Void', 0, false, null), ('tgt-spared', 'Void', 1, true, null),
            ('tgt-misprint', 'Void', 2, false, 'Misprint'), ('tgt-sound', 'Sound', 0, false, null))
          as given (qr_id, label, place, is_claimed, reason)
        join batch using (label) cross join owner
  `);
  await migrate({ address: database.address, directory: MIGRATIONS, log: quietLog });
  expect(await database.query('select qr_id, void_reason from public.qr_codes order by qr_id')).toEqual([
    { qr_id: 'tgt-freed', void_reason: 'Stolen' },
    { qr_id: 'tgt-misprint', void_reason: 'Misprint' },
    { qr_id: 'tgt-sound', void_reason: null },
    { qr_id: 'tgt-spared', void_reason: null },
  ]);
});
