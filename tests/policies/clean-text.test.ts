import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const database = await createTestDatabase();

/** Control characters, and the characters that override or isolate the writing direction. */
const HOSTILE = 'a\u0007b\u001bc\u007fd\u009be\u202ef\u2066g';
const NAME = `Eve\r\nBcc: ${HOSTILE}`;
const TEXT = `one\r\ntwo\t${HOSTILE}\rthree שלום`;
const CLEAN_NAME = 'Eve Bcc: abcdefg';
const CLEAN_TEXT = 'one\ntwo\tabcdefg\nthree שלום';

async function typed(ownerId: string, itemId: string, messageId: string) {
  const [row] = await database.query(
    `select item_name, description, note_to_finders, reward, full_name, body, raw_user_meta_data ->> 'full_name' as registered
       from public.items as item, public.profiles as profile, public.messages as message, auth.users as account
       where item.id = $2 and profile.id = $1 and message.id = $3 and account.id = $1`,
    [ownerId, itemId, messageId],
  );
  return row;
}

const CLEAN = {
  item_name: CLEAN_NAME,
  description: CLEAN_TEXT,
  note_to_finders: CLEAN_TEXT,
  reward: CLEAN_NAME,
  full_name: CLEAN_NAME,
  body: CLEAN_TEXT,
  registered: CLEAN_NAME,
};

/** Writes hostile text into everything that people type. */
async function write(ownerId: string, itemId: string): Promise<void> {
  await database.query(
    'update public.items set item_name = $2, description = $3, note_to_finders = $3, reward = $2 where id = $1',
    [itemId, NAME, TEXT],
  );
  await database.query('update public.profiles set full_name = $2 where id = $1', [ownerId, NAME]);
  await database.query(
    "update auth.users set raw_user_meta_data = jsonb_build_object('full_name', $2::text) where id = $1",
    [ownerId, NAME],
  );
}

test('names, items and messages are kept without control characters and overrides of the direction [K29]', async () => {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const message = await sendMessage(database, item, TEXT);
  await write(owner.id, item.id);
  expect(await typed(owner.id, item.id, message)).toEqual(CLEAN);
});

test('an item that its owner has named is not described by what the registration wrote', async () => {
  const owner = await createOwner(database);
  const written = 'Item tagged during registration';
  const describe = async (change: string) => {
    const { id } = await createItem(database, owner, { itemName: 'My Tagged Item', description: written });
    await database.query(`update public.items set ${change} where id = $1`, [id]);
    return (await database.query('select description from public.items where id = $1', [id]))[0]?.description;
  };
  expect(await describe("item_name = 'Keys'")).toBeNull();
  expect(await describe("item_type = 'keys', description = description")).toBe(written);
  expect(await describe("item_name = 'Keys', description = 'Five of them'")).toBe('Five of them');
});
