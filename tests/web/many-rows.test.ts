import { expect, test } from 'vitest';
import { loadOwnItems } from '#app/data/items.ts';
import { countUnread } from '#app/data/news/item-news.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { REST_MAX_ROWS: '2' } });
const owner = await createOwner(database);

test('an owner sees all items and the counts of unread messages, however few rows one response may have', async () => {
  const items = [];
  for (let number = 0; number < 5; number += 1) items.push(await createItem(database, owner));
  const finder = server.client();
  for (const { qrId } of items.slice(0, 3)) {
    const { error } = await finder.rpc('send_message', { qr_id_param: qrId, body_param: 'I found it' });
    expect(error).toBeNull();
  }
  const client = server.client({ token: await server.token(owner.caller.claims) });
  const loaded = await loadOwnItems(client, owner.id);
  expect(loaded.map(({ id }) => id).sort()).toEqual(items.map(({ id }) => id).sort());
  const unread = await countUnread(client);
  expect([...unread].sort()).toEqual(
    items
      .slice(0, 3)
      .map(({ id }) => [id, 1])
      .sort(),
  );
});
