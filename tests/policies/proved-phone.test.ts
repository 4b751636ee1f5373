import { expect, test } from 'vitest';
import { rehearse } from '#tests/support/act-as.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { attempt } from './attempt.ts';

const database = await createTestDatabase();

test('a proved number changes with the account alone, and the profile follows it', async () => {
  const owner = await createOwner(database);
  await rehearse(database, async (client) => {
    const write = (phone: string) =>
      attempt(client, owner.caller, 'update public.profiles set phone = $1 where id = $2', [phone, owner.id]);
    const kept = async () =>
      (await client.query('select phone from public.profiles where id = $1', [owner.id])).rows[0]?.phone;

    // The number is not proved, so its owner may enter another one.
    await client.query('update auth.users set phone = null, phone_confirmed_at = null where id = $1', [owner.id]);
    expect((await write('+15550111')).refused).toBeNull();

    await client.query("update auth.users set phone = '15550122', phone_confirmed_at = now() where id = $1", [
      owner.id,
    ]);
    expect(await kept()).toBe('+15550122');
    expect((await write('+15550133')).refused).toBe('no privilege');
    expect(await kept()).toBe('+15550122');
  });
});

test('an account that was confirmed by a number of another account may enter another one [K2]', async () => {
  const owner = await createOwner(database);
  await rehearse(database, async (client) => {
    await client.query('update auth.users set phone = null, phone_confirmed_at = now() where id = $1', [owner.id]);
    const { refused } = await attempt(client, owner.caller, 'update public.profiles set phone = $1 where id = $2', [
      '+15550111',
      owner.id,
    ]);
    expect(refused).toBeNull();
  });
});
