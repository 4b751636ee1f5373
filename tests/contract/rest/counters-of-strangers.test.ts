import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

/** A million counters push out those of others, so calls must not leave one for each value that a caller chooses. */
const database = await createTestDatabase();
const server = await startTestServer(database);
const owner = await registerOwner(server);
const address = anAddress();

const CALLS = 30;

async function counters(): Promise<number> {
  const [row] = await database.query<{ count: number }>('select count(*)::int from internal.rate_limits');
  return row?.count ?? 0;
}

const aLongCode = () => `tgt-${randomUUID()}`;
const reply = () => ({ conversation_id_param: randomUUID(), body_param: 'x' });
const message = () => ({ qr_id_param: aLongCode(), body_param: 'x' });
const asOwner = { Authorization: `Bearer ${owner.session.access_token}` };

test.each<[string, string, () => object, Record<string, string>]>([
  ['replies of a visitor to any conversation', 'send_reply', reply, {}],
  [
    'replies of a visitor that end before PostgreSQL decides',
    'send_reply',
    reply,
    { Prefer: 'handling=strict, max-affected=1' },
  ],
  ['replies of an owner to conversations that are not theirs', 'send_reply', reply, asOwner],
  [
    'replies of an owner that end before PostgreSQL decides',
    'send_reply',
    reply,
    { ...asOwner, Prefer: 'handling=strict, max-affected=1' },
  ],
  ['messages to codes without an item', 'send_message', message, {}],
  [
    'messages that end before PostgreSQL decides',
    'send_message',
    message,
    { Prefer: 'handling=strict, max-affected=1' },
  ],
  ['look-ups of codes without an item', 'find_item', () => ({ qr_id_param: aLongCode() }), {}],
  ['look-ups of the owner of such codes', 'get_qr_code_owner', () => ({ qr_id_param: aLongCode() }), {}],
  ['checks of addresses', 'check_user_exists', () => ({ email_param: `${randomUUID()}@example.org` }), {}],
  ['recovery codes', 'use_recovery_code', () => ({ code_param: randomUUID() }), asOwner],
])('%s leave no counter for each call [K51]', async (_, name, body, headers) => {
  const before = await counters();
  for (let call = 0; call < CALLS; call += 1) {
    const response = await server.request(`/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        apikey: server.secrets.publishableKey,
        'X-Forwarded-For': address,
        ...headers,
      },
      body: JSON.stringify(body()),
    });
    await response.arrayBuffer();
  }
  expect((await counters()) - before).toBeLessThanOrEqual(2);
});
