import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

const QUIET = { quiet_from: '22:00', quiet_to: '07:00', time_zone: 'Asia/Jerusalem' };

test('what is not saved keeps its value, or has its default, and each change is in the audit log', async () => {
  const { client, user } = await registerOwner(server);
  const save = (change: object) => client.from('notice_settings').upsert({ user_id: user.id, ...change });
  await save({ sms: true }).throwOnError();
  await save(QUIET).throwOnError();
  const { data } = await client.from('notice_settings').select().single().throwOnError();
  expect(data).toMatchObject({ email: true, push: true, sms: true, reminder: true, time_zone: 'Asia/Jerusalem' });
  const entries = await database.query(
    "select event, details from auth.audit_log where user_id = $1 and event like 'notice%' order by id",
    [user.id],
  );
  expect(entries).toEqual([
    { event: 'notice_settings_changed', details: {} },
    { event: 'notices_reduced', details: {} },
  ]);
});

test.each([
  ['a time zone that does not exist', { ...QUIET, time_zone: 'Moon/Tranquility' }],
  ['a time zone with other characters', { ...QUIET, time_zone: "UTC'; select" }],
  ['quiet hours without a time zone', { ...QUIET, time_zone: null }],
  ['quiet hours without an end', { ...QUIET, quiet_to: null }],
  ['quiet hours that end when they begin', { ...QUIET, quiet_to: '22:00' }],
  ['a time after midnight', { ...QUIET, quiet_to: '24:00' }],
  ['no time', { ...QUIET, quiet_to: 'later' }],
  ['neither on nor off', { sms: null }],
])('%s is refused, and changes nothing', async (_, change) => {
  const { client, user } = await registerOwner(server);
  const { status, error } = await client.from('notice_settings').upsert({ user_id: user.id, ...change });
  expect(status).toBe(400);
  expect(error?.message).not.toMatch(/internal\./);
  expect((await client.from('notice_settings').select()).data).toEqual([]);
});

test('no account sees or changes another’s', async () => {
  const [owner, other] = [await registerOwner(server), await registerOwner(server)];
  await owner.client.from('notice_settings').upsert({ user_id: owner.user.id }).throwOnError();
  const { status } = await other.client.from('notice_settings').upsert({ user_id: owner.user.id, email: false });
  expect(status).toBe(403);
  expect((await other.client.from('notice_settings').select()).data).toEqual([]);
  expect((await server.client().from('notice_settings').select()).error).not.toBeNull();
  expect((await owner.client.from('notice_settings').select('email')).data).toEqual([{ email: true }]);
});
