import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { setUpFactor } from './support/authenticator.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

test('after 2038 registering, signing in, factors, and signed URLs still work [I59]', async () => {
  const before = await registerOwner(server);
  clock.advance(Date.UTC(2038, 0, 20) - clock.now());

  const owner = await registerOwner(server, { data: { qr_id: 'tgt-twentythirtyeight' } });
  expect(owner.session.expires_at).toBeGreaterThan(2 ** 31);
  expect((await owner.client.auth.refreshSession()).error).toBeNull();
  await setUpFactor(owner.client, clock);
  expect((await owner.client.from('items').select('item_name')).data).toEqual([{ item_name: 'My Tagged Item' }]);

  const { email, password } = before;
  expect((await server.client().auth.signInWithPassword({ email, password })).error).toBeNull();

  const { storage } = server.client({ key: server.secrets.secretKey });
  await storage.createBucket('files');
  await storage.from('files').upload('a.txt', 'still here');
  const { data } = await storage.from('files').createSignedUrl('a.txt', 60);
  expect(await (await fetch(data?.signedUrl ?? '')).text()).toBe('still here');
  expect(server.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
});
