import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from '#tests/web/support/post-form.ts';
import { passkeyCalls } from './support/passkey-calls.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const { addPasskey, signIn, signInByPassword } = passkeyCalls(server);

test('a new and a removed passkey are mailed at once, logged, listed, and exported without keys [K3]', async () => {
  const owner = await registerOwner(server, { phone: '' });
  await server.delivery.takeEmailTo(owner.email);
  const { data } = await addPasskey(owner.client);
  const added = await server.delivery.takeEmailTo(owner.email);
  expect(added.subject).toBe('Reunite: A passkey was added to your account');
  expect(added.text).toMatch(/\/not-me\//);
  const { data: listed } = await owner.client.rpc('list_account_changes');
  expect(listed.additions).toMatchObject([{ kind: 'passkey', id: data?.id, name: 'Unknown device' }]);
  const { data: file } = await owner.client.rpc('export_my_data');
  expect(file.passkeys).toEqual([
    {
      id: data?.id,
      user_id: owner.user.id,
      friendly_name: 'Unknown device',
      created_at: expect.any(String),
      last_used_at: null,
    },
  ]);
  expect((await owner.client.auth.passkey.delete({ passkeyId: data?.id ?? '' })).error).toBeNull();
  expect((await server.delivery.takeEmailTo(owner.email)).subject).toBe(
    'Reunite: A passkey was removed from your account',
  );
  const events = await database.query<{ event: string }>(
    "select event from auth.audit_log where user_id = $1 and event like 'passkey%' order by id",
    [owner.user.id],
  );
  expect(events).toEqual([{ event: 'passkey_added' }, { event: 'passkey_removed' }]);
});

test('"This wasn’t me" removes a passkey that a thief added, and what it signed in to [K3]', async () => {
  const owner = await registerOwner(server, { phone: '' });
  await server.delivery.takeEmailTo(owner.email);
  const { key: own } = await addPasskey(owner.client);
  await server.delivery.takeEmailTo(owner.email);
  await database.query("update auth.passkeys set created_at = now() - interval '1 hour' where user_id = $1", [
    owner.user.id,
  ]);
  const thief = await signInByPassword(owner);
  await server.delivery.takeEmailTo(owner.email);
  const { key } = await addPasskey(thief);
  const path = /\/not-me\/[\w%-]+/.exec((await server.delivery.takeEmailTo(owner.email)).text)?.[0] ?? '';
  const { client: elsewhere } = await signIn(key);
  expect((await postForm(server, path, {})).status).toBe(200);
  expect((await elsewhere.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect((await signIn(key)).error).toMatchObject({ code: 'webauthn_verification_failed' });
  expect((await signIn(own)).error, 'the owner’s own stays').toBeNull();
});

test('a device that a passkey signed in on is known with its factor, and a new one is announced', async () => {
  const owner = await registerOwner(server, { phone: '' });
  await server.delivery.takeEmailTo(owner.email);
  const { key } = await addPasskey(owner.client);
  await server.delivery.takeEmailTo(owner.email);
  const { error } = await signIn(key);
  expect(error).toBeNull();
  expect((await server.delivery.takeEmailTo(owner.email)).subject).toContain('New sign-in');
  const devices = await database.query(
    'select has_shown_factor from auth.known_devices where user_id = $1 order by created_at, seen_at',
    [owner.user.id],
  );
  expect(devices).toContainEqual({ has_shown_factor: true });
});
