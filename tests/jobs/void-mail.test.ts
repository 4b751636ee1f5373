import * as v from 'valibot';
import { expect, test } from 'vitest';
import { sendVoidMail, voidMailPayload } from '#server/jobs/owner/send-void-mail.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const caught = catchDelivery();
const needs = dependenciesForJobs(database.address, caught);
whenDone(() => needs.database.close());

const voidCode = (code: string, reason: string) =>
  database.query('select public.void_code($1, $2, true)', [code, reason]);
const jobsOf = async (owner: string) =>
  database.query<{ payload: unknown; waits: boolean }>(
    `select private.payload, jobs.run_at > now() + interval '4 minutes' as waits from graphile_worker.jobs
      join graphile_worker._private_jobs as private using (id) where jobs.key = 'send_void_mail:' || $1`,
    [owner],
  );

test('an owner gets one email about what an operator voids in a few minutes, with the items and the reasons', async () => {
  const [owner, other] = [await createOwner(database), await createOwner(database)];
  const keys = await createItem(database, owner, { itemName: 'House keys' });
  const bike = await createItem(database, owner, { itemName: 'Red\nbicycle' });
  const restored = await createItem(database, owner, { itemName: 'Umbrella' });
  await database.query(
    'insert into public.qr_codes (qr_id, owner_id, claimed_at, stands_for) values ($1, $2, now(), $3)',
    ['tgt-a-further-sticker', owner.id, keys.qrId],
  );
  await voidCode(keys.qrId, 'Stolen');
  await voidCode('tgt-a-further-sticker', 'Stolen');
  await voidCode(bike.qrId, 'Printed twice');
  await voidCode(restored.qrId, 'By mistake');
  await database.query('select public.restore_code($1)', [restored.qrId]);
  expect(await jobsOf(other.id)).toEqual([]);
  const [job, ...further] = await jobsOf(owner.id);
  expect(further).toEqual([]);
  expect(job?.waits).toBe(true);

  const entries = v.parse(voidMailPayload, job?.payload);
  await sendVoidMail(needs, entries);
  const [mail, ...others] = caught.emails;
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    to: owner.email,
    subject: expect.stringContaining('3 of your Reunite stickers no longer work'),
  });
  expect(mail?.text).toContain('“Stolen”');
  expect(mail?.text).toContain('“Printed twice”');
  expect(mail?.text).toMatch(/House keys.? and .?Red bicycle/);
  expect(mail?.text).not.toMatch(/Umbrella|By mistake|tgt-/);
  expect(mail?.text).toContain('https://lost.example.org/dashboard\n');
});

test('nothing is mailed about codes without an owner, or to an address that is not proved', async () => {
  const before = caught.emails.length;
  await database.query("insert into public.qr_codes (qr_id, issued_at) values ('tgt-free-and-issued', now())");
  await voidCode('tgt-free-and-issued', 'Stolen');
  const owner = await createOwner(database);
  const { qrId } = await createItem(database, owner);
  await voidCode(qrId, 'Stolen');
  expect(await database.query("select from graphile_worker.jobs where key like 'send_void_mail:%'")).toHaveLength(2);
  await database.query(
    'update auth.users set claimed_email = email, email = null, email_confirmed_at = null where id = $1',
    [owner.id],
  );
  await sendVoidMail(needs, [{ id: crypto.randomUUID(), owner_id: owner.id, qr_ids: [qrId] }]);
  expect(caught.emails).toHaveLength(before);
});
