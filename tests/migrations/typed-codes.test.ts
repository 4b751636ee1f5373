import { expect, onTestFinished, test, vi } from 'vitest';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { dependenciesForJobs } from '#tests/jobs/dependencies-for-jobs.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createEmptyDatabase } from './empty-database.ts';

/** More than two batches, and not a whole number of them. */
const EARLIER = 12_345;

test('codes from before typed codes are given theirs in batches, and the database derives what the product does', async () => {
  const database = await createEmptyDatabase(thisCluster().address);
  onTestFinished(database.drop);
  await migrate({ address: database.address, directory: DATABASE_FOLDER, log: quietLog });
  // As it was before there were typed codes.
  await database.query('alter table public.qr_codes disable trigger qr_codes_give_typed_code');
  await database.query(
    `insert into public.qr_codes (qr_id, issued_at) select 'tgt-earlier-' || number, now()
       from generate_series(1, ${EARLIER}) as number`,
  );
  await database.query('alter table public.qr_codes enable trigger qr_codes_give_typed_code');
  await database.query("insert into internal.typed_code_progress (after) values ('')");
  expect(await database.query('select from internal.typed_codes')).toEqual([]);

  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  onTestFinished(() => dependencies.database.close());
  const jobs = await startJobs(dependencies);
  onTestFinished(() => jobs.stop());
  await database.query("insert into public.qr_codes (qr_id) values ('tgt-claimed-meanwhile')");
  await vi.waitFor(async () => expect(await database.query('select from internal.typed_code_progress')).toEqual([]), {
    timeout: 60_000,
    interval: 200,
  });

  const given = await database.query<{ qr_id: string; typed_code: string }>('select * from internal.typed_codes');
  expect(given).toHaveLength(EARLIER + 1);
  const wrong = given.filter(({ qr_id, typed_code }) => typedCodeOf(qr_id).replaceAll('-', '') !== typed_code);
  expect(wrong).toEqual([]);

  await database.query("delete from public.qr_codes where qr_id = 'tgt-earlier-7'");
  expect(await database.query("select from internal.typed_codes where qr_id = 'tgt-earlier-7'")).toEqual([]);
});
