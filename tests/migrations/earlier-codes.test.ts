import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { MIGRATIONS } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createEmptyDatabase } from './empty-database.ts';
import { migrationsUpTo } from './migration-folder.ts';

/** The last migration before a request left the earlier codes as they are. */
const BEFORE = 30;

test('codes sent before the migration stay valid, and another of the same purpose can be added', async () => {
  const database = await createEmptyDatabase(thisCluster().address);
  onTestFinished(database.drop);
  await migrate({ address: database.address, directory: await migrationsUpTo(BEFORE), log: quietLog });
  const id = '00000000-0000-4000-8000-000000000001';
  await database.query(
    `insert into auth.users (id, email, email_confirmed_at) values ('${id}', 'a@example.com', now())`,
  );
  const send = (link: string) =>
    database.query(`
      insert into auth.one_time_tokens
          (user_id, token_type, token_hash, link_hash, relates_to, channel, expires_at, link_expires_at)
        values ('${id}', 'recovery', 'x', '${link}', 'a@example.com', 'email', now(), now() + interval '1 hour')`);
  await send('before');
  await expect(send('too early')).rejects.toThrow('one_time_tokens_pkey');

  await migrate({ address: database.address, directory: MIGRATIONS, log: quietLog });
  await send('after');
  expect(
    await database.query(
      `select convert_from(link_hash, 'UTF8') as link, asked_on from auth.one_time_tokens order by id`,
    ),
  ).toEqual([
    { link: 'before', asked_on: null },
    { link: 'after', asked_on: null },
  ]);
});
