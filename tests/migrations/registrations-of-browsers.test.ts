import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { MIGRATIONS } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createEmptyDatabase } from './empty-database.ts';
import { migrationsUpTo } from './migration-folder.ts';

/** The last migration while registrations of several browsers shared an account. */
const BEFORE = 33;

const MIXED = '00000000-0000-4000-8000-000000000001';
const SINGLE = '00000000-0000-4000-8000-000000000002';
const CONFIRMED = '00000000-0000-4000-8000-000000000003';

test('an account with several pending registrations loses what was entered in them; others keep it', async () => {
  const database = await createEmptyDatabase(thisCluster().address);
  onTestFinished(database.drop);
  await migrate({ address: database.address, directory: await migrationsUpTo(BEFORE), log: quietLog });
  const entered = '{"full_name": "Mallory", "team": "red", "phone": "+15550100001", "email": "a@example.com"}';
  await database.query(`
    insert into auth.users
        (id, email, claimed_email, email_confirmed_at, encrypted_password, registrations, registered_on,
         registration_phone, raw_user_meta_data)
      values
        ('${MIXED}', null, 'a@example.com', null, 'hash', 2, 'device', null, '${entered}'),
        ('${SINGLE}', null, 'b@example.com', null, 'hash', 1, 'device', null, '${entered}'),
        ('${CONFIRMED}', 'c@example.com', null, now(), 'hash', 2, 'device', null, '${entered}')`);

  await migrate({ address: database.address, directory: MIGRATIONS, log: quietLog });
  const rows = await database.query(`
    select account.id, encrypted_password as password, raw_user_meta_data as metadata, registered_on is null as nowhere,
        raw_app_meta_data -> 'password_needed' as needed, profile.full_name as name, profile.phone
      from auth.users as account join public.profiles as profile using (id) order by account.id`);
  const whole = { password: 'hash', metadata: JSON.parse(entered), nowhere: false, needed: null, name: 'Mallory' };
  expect(rows).toMatchObject([
    { id: MIXED, password: null, metadata: { email: 'a@example.com' }, nowhere: true, needed: true, name: null },
    { id: SINGLE, ...whole },
    { id: CONFIRMED, ...whole },
  ]);
  expect(rows[0]).toHaveProperty('metadata', { email: 'a@example.com' });
  expect(rows[0]).toHaveProperty('phone', null);
});
