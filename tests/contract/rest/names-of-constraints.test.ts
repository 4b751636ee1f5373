import { expect, test } from 'vitest';
import { makeSecrets } from '#server/start/secrets.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { startPushService } from '#tests/support/push-service.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const pushService = await startPushService();
const secrets = await makeSecrets();
const { publicKey } = pushService.createSender(secrets.pushKey ?? '');
const server = await startTestServer(database, { secrets, outbound: pushService.outbound });
const { client, user } = await registerOwner(server);

test('a refusal within a function names no constraint, table, or column of ours [K75]', async () => {
  const subscription = pushService.subscribe(publicKey);
  const item = { qr_id: createTagCode(), item_type: 'keys', item_name: 'Keys' };
  const calls = [
    client.rpc('save_items', { items_param: [{ ...item, item_type: 'nothing of the catalog' }] }),
    client.rpc('save_items', { items_param: [{ ...item, item_name: '\u00a0\u200b' }] }),
    client.rpc('save_items', { items_param: [{ ...item, item_name: null }] }),
    client.rpc('save_items', { items_param: [{ ...item, description: 'x'.repeat(1001) }] }),
    client.rpc('invite_second_contact', { email_param: null, phone_param: '+0' }),
    client.rpc('save_push_subscription', {
      endpoint_param: subscription.endpoint,
      p256dh_param: subscription.p256dh,
      auth_param: 'short',
      server_key_param: 'short',
    }),
    client.rpc('add_notice_address', { kind_param: 'pigeon', name_param: 'Loft', url_param: 'https://example.com/' }),
  ];
  for (const { error } of await Promise.all(calls)) {
    expect(error).not.toBeNull();
    expect(JSON.stringify(error)).not.toMatch(/_check|_key|"public"|constraint "|relation "|column "/);
  }
});

test('a table that the request names keeps its words', async () => {
  const { error } = await client
    .from('items')
    .insert({ qr_id: createTagCode(), user_id: user.id, item_type: 'no type', item_name: 'Keys' });
  expect(error?.message).toContain('items_item_type_check');
});
