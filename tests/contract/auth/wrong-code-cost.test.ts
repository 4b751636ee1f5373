import { expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });
await database.query('create extension pg_walinspect');

async function position(): Promise<string> {
  const [row] = await database.query<{ position: string }>('select pg_current_wal_insert_lsn() as position');
  return row?.position ?? '';
}

/** The kinds of write-ahead log records that a wrong code for the address writes. Its commit waits for them. */
async function writtenBy(email: string): Promise<{ readonly isRefused: boolean; readonly kinds: readonly string[] }> {
  const start = await position();
  const { status, body } = await callAuth(server, 'POST', '/verify', { type: 'email', email, token: '000000' });
  const end = await position();
  const isOnDisk = 'select pg_current_wal_flush_lsn() >= $1::pg_lsn as "isOnDisk"';
  await expect.poll(() => database.query(isOnDisk, [end])).toEqual([{ isOnDisk: true }]);
  const records = await database.query<{ kind: string; description: string | null }>(
    `select resource_manager || ' ' || record_type as kind, description
       from pg_get_wal_records_info($1, $2)`,
    [start, end],
  );
  return {
    isRefused: status === 403 && body.code === 'otp_expired',
    kinds: records.map(({ kind, description }) =>
      description?.includes('uncounted_guess') ? 'instead of a count' : kind,
    ),
  };
}

test('a wrong code for an address without an account waits for the disk like one that is counted [K30]', async () => {
  const owner = await registerOwner(server);
  clock.advance(2 * 60_000);
  await callAuth(server, 'POST', '/otp', { email: owner.email });
  const known = await writtenBy(owner.email);
  const free = await writtenBy(anEmail());
  expect([known.isRefused, free.isRefused]).toEqual([true, true]);
  expect(known.kinds).toContain('Transaction COMMIT');
  expect(free.kinds).toEqual(expect.arrayContaining(['instead of a count', 'Transaction COMMIT']));
});
