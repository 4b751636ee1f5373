import { expect, test } from 'vitest';
import { VISITOR } from '#server/postgres/caller.ts';
import { actAs } from '#tests/support/act-as.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const database = await createTestDatabase();
const owner = await createOwner(database);
const stranger = await createOwner(database);
const first = await createItem(database, owner);
const second = await createItem(database, owner);

function ownerOf(qrId: string, caller = stranger.caller): Promise<string | null> {
  return actAs(database, caller, async (client) => {
    const { rows } = await client.query<{ owner: string | null }>('select public.get_qr_code_owner($1) as owner', [
      qrId,
    ]);
    return rows[0]?.owner ?? null;
  });
}

test('a stranger learns that a code is taken, and not by whom', async () => {
  const reference = await ownerOf(first.qrId);
  expect(reference).toMatch(/^[0-9a-f-]{36}$/);
  expect(reference).not.toBe(owner.id);
  const accounts = await database.query('select from auth.users where id = $1', [reference]);
  expect(accounts).toEqual([]);
});

test('the references of two codes of one owner do not reveal that they share one', async () => {
  expect(await ownerOf(first.qrId)).not.toBe(await ownerOf(second.qrId));
});

test('the reference of a code is the same for every caller, every time', async () => {
  expect(await ownerOf(first.qrId)).toBe(await ownerOf(first.qrId));
  expect(await ownerOf(first.qrId, VISITOR)).toBe(await ownerOf(first.qrId));
});
