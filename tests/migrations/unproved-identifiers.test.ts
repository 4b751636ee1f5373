import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { MIGRATIONS } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createEmptyDatabase } from './empty-database.ts';
import { migrationsUpTo } from './migration-folder.ts';

/** The last migration before addresses were claimed. */
const BEFORE = 24;

test('accounts that exist keep their addresses: proved ones as their own, the others as claims', async () => {
  const database = await createEmptyDatabase(thisCluster().address);
  onTestFinished(database.drop);
  await migrate({ address: database.address, directory: await migrationsUpTo(BEFORE), log: quietLog });
  await database.query(`
    insert into auth.users (id, email, email_confirmed_at, phone, phone_confirmed_at, deleted_at, encrypted_password) values
      ('00000000-0000-4000-8000-000000000001', 'proved@example.com', now(), null, null, null, 'a'),
      ('00000000-0000-4000-8000-000000000002', 'typed@example.com', null, '15550100001', now(), null, 'b'),
      ('00000000-0000-4000-8000-000000000003', 'pending@example.com', null, null, null, null, 'c'),
      ('00000000-0000-4000-8000-000000000004', 'fingerprint', null, null, null, now(), null)`);
  await database.query(`
    insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, channel, expires_at)
      values ('00000000-0000-4000-8000-000000000003', 'confirmation', 'x', '+15550100003', 'sms', now() + interval '1 hour')`);
  await database.query(`
    insert into auth.sessions (user_id, created_at, amr) values ('00000000-0000-4000-8000-000000000002',
      now() - interval '3 days', jsonb_build_array(jsonb_build_object('method', 'totp', 'timestamp', 1e10::bigint)))`);
  const profiles = () => database.query<{ email: string }>('select id, email from public.profiles order by id');
  const before = await profiles();
  const events = await database.query('select event from auth.audit_log');

  const applied = await migrate({ address: database.address, directory: MIGRATIONS, log: quietLog });
  expect(applied.length).toBeGreaterThan(0);
  expect(
    await database.query(
      `select right(id::text, 1) as id, email, claimed_email, registration_phone, encrypted_password
         from auth.users order by id`,
    ),
  ).toEqual([
    { id: '1', email: 'proved@example.com', claimed_email: null, registration_phone: null, encrypted_password: 'a' },
    { id: '2', email: null, claimed_email: 'typed@example.com', registration_phone: null, encrypted_password: 'b' },
    {
      id: '3',
      email: null,
      claimed_email: 'pending@example.com',
      registration_phone: '+15550100003',
      encrypted_password: 'c',
    },
    { id: '4', email: 'fingerprint', claimed_email: null, registration_phone: null, encrypted_password: null },
  ]);
  expect(await profiles(), 'finders reach the same address').toEqual(before);
  expect(await database.query('select event from auth.audit_log'), 'nothing happened to an account').toEqual(events);
  expect(await database.query('select from auth.sessions where proved_at = created_at')).toHaveLength(1);
  await expect(
    database.query("insert into auth.users (email) values ('unproved@example.com')"),
    'an address is proved or a claim',
  ).rejects.toThrow('users_email_is_proved');
  await database.query("insert into auth.users (claimed_email) values ('typed@example.com')");
});
