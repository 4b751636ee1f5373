import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { actAs } from '#tests/support/act-as.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

/** A finder is offered to call an owner only where there is a number to call. */
const database = await createTestDatabase();

async function channelsOf(ownerId: string): Promise<unknown> {
  const [found] = await database.query<{ channels: unknown }>(
    `select public.find_item(qr_id) -> 'channels' as channels from public.items where user_id = $1`,
    [ownerId],
  );
  return found?.channels;
}

test.each([
  '',
  ' ',
  '+',
  '0501234567',
  '+0501234567',
  '+972 50 123',
  '+972501234567\n',
  '+1234567890123456',
  'call me',
])('an owner cannot make %j the number of their profile', async (phone) => {
  const owner = await createOwner(database);
  const change = actAs(database, owner.caller, (client) =>
    client.query('update public.profiles set phone = $1 where id = $2', [phone, owner.id]),
  );
  await expect(change).rejects.toMatchObject({ code: '23514' });
  expect(await database.query('select phone from public.profiles where id = $1', [owner.id])).toEqual([
    { phone: owner.phone },
  ]);
});

test('an owner may remove the number, and then no finder sees it', async () => {
  const owner = await createOwner(database);
  await createItem(database, owner);
  const setPhone = (phone: string | null) =>
    actAs(database, owner.caller, (client) =>
      client.query('update public.profiles set phone = $1 where id = $2', [phone, owner.id]),
    );
  await setPhone(null);
  expect(await channelsOf(owner.id)).toEqual({ whatsapp: false, call: false, email: true, message: true });
  await setPhone('+12');
  expect(await channelsOf(owner.id)).toEqual({ whatsapp: true, call: true, email: true, message: true });
});

test.each([
  ['+972501234567', '+972501234567'],
  ['+123456789012345', '+123456789012345'],
  ['0501234567', null],
  ['', null],
  ['+972501234567 or so', null],
  ['+4912345678901234', null],
  [undefined, null],
])('an account that says %j of its phone is made, with %j in its profile', async (phone, kept) => {
  const id = randomUUID();
  await database.query('insert into auth.users (id, claimed_email, raw_user_meta_data) values ($1, $2, $3)', [
    id,
    `${id}@example.com`,
    { full_name: 'Olive', phone },
  ]);
  expect(await database.query('select phone from public.profiles where id = $1', [id])).toEqual([{ phone: kept }]);
});
