import { Agent } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendRequest } from '#tests/support/send-request.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);
const owner = await createOwner(database);
const ITEMS = 30;
for (let made = 0; made < ITEMS; made += 1) {
  await createItem(database, owner, { itemName: `Umbrella ${made}`, description: 'Black, with a wooden handle.' });
}

/** Reads as the service, without the decompression that `fetch` does by itself. */
async function read(query: string, acceptEncoding: string, method = 'GET') {
  const response = await sendRequest(
    server.url,
    `/rest/v1/items?select=*&${query}`,
    {
      method,
      headers: { apikey: server.secretKey, 'accept-encoding': acceptEncoding },
    },
    new Agent(),
  );
  return { headers: response.headers, status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

test('a list is compressed where the client accepts it, and is the same list', async () => {
  const plain = await read('order=id', 'identity');
  expect(plain.headers.get('content-encoding')).toBeNull();
  const packed = await read('order=id', 'gzip, deflate, br');
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(packed.headers.get('access-control-allow-origin')).toBe('*');
  expect(packed.body.length).toBeLessThan(plain.body.length / 4);
  expect(JSON.parse(gunzipSync(packed.body).toString())).toEqual(JSON.parse(plain.body.toString()));
});

test('a single item, which is one packet in any case, is not compressed', async () => {
  const { headers, body } = await read('limit=1', 'gzip');
  expect(headers.get('content-encoding')).toBeNull();
  expect(JSON.parse(body.toString())).toHaveLength(1);
});

test('HEAD has no body', async () => {
  const { status, body } = await read('order=id', 'gzip', 'HEAD');
  expect([status, body.length]).toEqual([200, 0]);
});

test('the official client reads a compressed list', async () => {
  const client = await server.client(owner.caller);
  const { data } = await client.from('items').select('id').order('id');
  expect(data).toHaveLength(ITEMS);
});
