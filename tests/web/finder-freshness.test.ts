import { expect, test } from 'vitest';
import { connectTo } from '#tests/support/connect-to.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { readDocument } from './support/read-document.ts';

// The clocks are stopped: entries are dropped because of notifications and not because of their age.
const database = await createTestDatabase();
const clock = createTestClock({ stands: true });
const web = await startTestServer(database, { clock });
const secondServer = await startTestServer(database, { clock });
const owner = await createOwner(database, { fullName: 'Dana First' });

async function htmlOf(path: string, server = web): Promise<string> {
  return (await readDocument(await server.request(path))).html;
}

/** Resolves when the server has received all earlier notifications, which arrive in order. */
async function caughtUp(server = web): Promise<void> {
  const { id, qrId } = await createItem(database, owner, { itemName: 'Not yet' });
  await htmlOf(`/item/${qrId}`, server);
  await database.query("update public.items set item_name = 'Caught up' where id = $1", [id]);
  await expect.poll(() => htmlOf(`/item/${qrId}`, server), { interval: 20 }).toContain('Caught up');
}

async function onBoth(path: string, expected: string): Promise<void> {
  for (const server of [web, secondServer]) {
    await expect.poll(() => htmlOf(path, server), { interval: 20 }).toContain(expected);
  }
}

test('a change of the item shows on every server', async () => {
  const item = await createItem(database, owner, { itemName: 'Old name' });
  const path = `/item/${item.qrId}`;
  await onBoth(path, 'Old name');
  await database.query("update public.items set item_name = 'New name' where id = $1", [item.id]);
  await onBoth(path, 'New name');
});

test('a change of the owner’s settings or name shows on every server, for each of their items [D34]', async () => {
  const careful = await createOwner(database, { fullName: 'Noa Before' });
  const items = [await createItem(database, careful), await createItem(database, careful)];
  for (const { qrId } of items) await onBoth(`/item/${qrId}`, 'value="call"');
  await database.query("update public.profiles set full_name = 'Maya After', call_enabled = false where id = $1", [
    careful.id,
  ]);
  for (const { qrId } of items) {
    await onBoth(`/item/${qrId}`, 'Maya');
    expect(await htmlOf(`/item/${qrId}`)).not.toContain('value="call"');
  }
});

test('a change of a profile is announced in few notifications, and only where it shows [K54]', async () => {
  const many = await createOwner(database);
  await database.query(
    "insert into public.qr_codes (qr_id, owner_id, claimed_at) select rpad('tgt-' || n || '-', 64, 'x'), $1, now() from generate_series(1, 250) as n",
    [many.id],
  );
  const payloads: string[] = [];
  const listener = await connectTo(database.address);
  listener.on('notification', ({ payload = '' }) => payloads.push(payload));
  await listener.query('listen item_changed; listen done');
  const update = async (set: string) => {
    payloads.length = 0;
    await database.query(`update public.profiles set ${set} where id = $1`, [many.id]);
    await database.query("select pg_notify('done', 'done')");
    await expect.poll(() => payloads.includes('done')).toBe(true);
    return payloads.filter((payload) => payload !== 'done');
  };
  expect(await update('message_enabled = message_enabled, ways_chosen_at = now()')).toEqual([]);
  const announced = await update('message_enabled = not message_enabled');
  expect(announced).toHaveLength(3);
  expect(new Set(announced.flatMap((payload) => payload.split(' '))).size).toBe(250);
});

test('an item that was deleted is gone from every server, and its code is free [D34]', async () => {
  const item = await createItem(database, owner);
  const path = `/item/${item.qrId}`;
  await onBoth(path, item.itemName);
  await database.query('delete from public.items where id = $1', [item.id]);
  await onBoth(path, 'No item is tagged with this code.');
  const leadsTo = async () => (await web.request(`/${item.qrId}`)).headers.get('location');
  await expect.poll(leadsTo).toBe(`/auth/${item.qrId}`);
});

test('an unchanged page is read once, and rendered once', async () => {
  const item = await createItem(database, owner);
  const path = `/item/${item.qrId}`;
  await caughtUp();
  const tags = new Set<string | null>();
  const responses = await Promise.all(Array.from({ length: 20 }, () => web.request(path)));
  for (const response of responses) tags.add(response.headers.get('etag'));
  expect(tags.size).toBe(1);

  // If it were read again now, the change would show: no trigger announces it.
  await database.query('alter table public.items disable trigger items_announce');
  await database.query("update public.items set item_name = 'Unannounced' where id = $1", [item.id]);
  await database.query('alter table public.items enable trigger items_announce');
  expect(await htmlOf(path)).toContain(item.itemName);
});

test('without notifications a page is at most four seconds old [D34]', async () => {
  const deaf = await startTestServer(database, { clock });
  const item = await createItem(database, owner, { itemName: 'Before' });
  const path = `/item/${item.qrId}`;
  await caughtUp(deaf);
  expect(await htmlOf(path, deaf)).toContain('Before');
  await database.query('alter table public.items disable trigger items_announce');
  await database.query("update public.items set item_name = 'After' where id = $1", [item.id]);
  await database.query('alter table public.items enable trigger items_announce');
  expect(await htmlOf(path, deaf)).toContain('Before');
  clock.advance(4_000);
  expect(await htmlOf(path, deaf)).toContain('After');
});
