import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { forgetWhatIsOver } from '#server/jobs/forget-what-is-over.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();

test('old lines of the audit log and devices not seen for long are removed, and nothing else', async () => {
  const { id } = await createOwner(database);
  await database.query(
    `insert into auth.audit_log (event, user_id, at)
       select 'signed_in', $1, now() - make_interval(days => days) from unnest(array[0, 29, 31]) as days`,
    [id],
  );
  for (const days of [0, 399, 401]) {
    await database.query(
      `insert into auth.known_devices (user_id, device_hash, seen_at) values ($1, $2, now() - make_interval(days => $3))`,
      [id, randomBytes(32), days],
    );
  }
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await forgetWhatIsOver({ ...dependencies, config: { ...dependencies.config, auditLogDays: 30 } });
  await dependencies.database.close();
  const ages = (table: string, column: string) =>
    database.query(
      `select extract(day from now() - ${column})::int as days from ${table} where user_id = $1 and ${column} < now() - interval '1 hour'`,
      [id],
    );
  expect(await ages('auth.audit_log', 'at')).toEqual([{ days: 29 }]);
  expect(await ages('auth.known_devices', 'seen_at')).toEqual([{ days: 399 }]);
});

test('a running server has it in its calendar', async () => {
  await startTestServer(database);
  const entries = await database.query('select identifier from graphile_worker._private_known_crontabs');
  expect(entries).toContainEqual({ identifier: 'forget_what_is_over' });
});
