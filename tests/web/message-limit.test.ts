import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { NO_DETAILS } from '#domain/contact/message-details.ts';
import { finderViewIn } from '#domain/finder-language.ts';
import { createMessageLimit } from '#server/limits/message-limit.ts';
import { createRateLimits } from '#server/limits/postgres-rate-limits.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { sendMessage as sendFromPage } from '#server/web/finder/send-message.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const testDatabase = await createTestDatabase();
const database = openDatabase({ address: testDatabase.address, log: quietLog });
afterAll(() => database.close());
const owner = await createOwner(testDatabase);
const limit = createMessageLimit({ database, limits: createRateLimits({ database, log: quietLog }) });

async function newItem() {
  const item = await createItem(testDatabase, owner);
  return {
    item,
    ask: async (address: string, messageId: string | null, finderKey: string | null = null) =>
      (await limit({ code: item.qrId, address, messageId, finderKey })).retryAfterSeconds,
  };
}

async function useUp(ask: (address: string, messageId: string | null) => Promise<unknown>, address: string) {
  for (let index = 0; index < 5; index += 1) expect(await ask(address, null)).toBeNull();
}

test('a message that is already stored is accepted again, whatever the count', async () => {
  const { item, ask } = await newItem();
  const known = await sendMessage(testDatabase, item);
  await useUp(ask, 'a');
  expect(await ask('a', null)).toBeGreaterThan(0);
  expect(await ask('a', known)).toBeNull();
  expect(await ask('a', known.toUpperCase())).toBeNull();
});

test.each([
  ['a new id', async () => randomUUID()],
  ['the id of a message about another tag', async () => sendMessage(testDatabase, (await newItem()).item)],
  ['a malformed id', async () => 'not-a-uuid'],
  ['an empty id', async () => ''],
])('%s counts like any other message', async (_, id) => {
  const { ask } = await newItem();
  await useUp(ask, 'a');
  expect(await ask('a', await id())).toBeGreaterThan(3_500);
});

test('no number of strangers can use up the limit of the next finder of a tag', async () => {
  const { ask } = await newItem();
  for (let index = 0; index < 30; index += 1) expect(await ask(`address ${index}`, null)).toBeNull();
  expect(await ask('another', null)).toBeNull();
});

test('a refused message does not count, and a repeated one returns no count [K4]', async () => {
  const { item, ask } = await newItem();
  const known = await sendMessage(testDatabase, item);
  const asked = { code: item.qrId, address: 'a', finderKey: null };
  for (let index = 0; index < 10; index += 1) await (await limit({ ...asked, messageId: null })).giveBack();
  await useUp(ask, 'a');
  for (let index = 0; index < 10; index += 1) await (await limit({ ...asked, messageId: known })).giveBack();
  expect(await ask('a', null)).toBeGreaterThan(0);
});

test('a message that could not be stored does not count [K27]', async () => {
  const { item, ask } = await newItem();
  await testDatabase.query(`
    create function public.fail() returns trigger language plpgsql as $$ begin raise 'The disk is full'; end $$;
    create trigger fail before insert on public.messages for each row execute function public.fail()`);
  const message = {
    code: item.qrId,
    body: 'Found',
    details: NO_DETAILS,
    language: 'en',
    messageId: crypto.randomUUID(),
    finderKey: 'k'.repeat(32),
    clientAddress: 'a',
  };
  for (let index = 0; index < 5; index += 1) {
    await expect(
      sendFromPage(
        { database, limit, texts: finderViewIn({ tag: 'en', direction: 'ltr' }).texts, hasOtherMethods: true },
        message,
      ),
    ).rejects.toThrow('The disk is full');
  }
  await testDatabase.query('drop function public.fail cascade');
  await useUp(ask, 'a');
});

test('an address sends 200 messages an hour to all tags together; another address may go on [K27]', async () => {
  const limits = createRateLimits({ database, log: quietLog });
  for (let sent = 1; sent < 200; sent += 1) await limits.take('send_message_per_address', 'busy');
  const { ask } = await newItem();
  expect(await ask('busy', null)).toBeNull();
  const { item, ask: askOther } = await newItem();
  expect(await askOther('busy', null)).toBeGreaterThan(3_500);
  expect(await askOther('quiet', null)).toBeNull();

  // A refused message uses up nothing of its tag, nor does one that the service refuses later. Two are given back, for
  // the limit counts the refused one too.
  for (const _ of ['the last', 'the refused']) await limits.giveBack('send_message_per_address', 'busy');
  for (let again = 0; again < 10; again += 1) {
    const counted = await limit({ code: item.qrId, address: 'busy', messageId: null, finderKey: null });
    expect(counted.retryAfterSeconds).toBeNull();
    await counted.giveBack();
  }
});

test('a finder with a reply is counted by the conversation instead', async () => {
  const { item, ask } = await newItem();
  const key = 'the-key-of-a-patient-finder';
  await testDatabase.query("select public.send_message($1, 'I have it', gen_random_uuid(), $2)", [item.qrId, key]);
  await useUp(ask, 'a');
  expect(await ask('a', null, key)).toBeGreaterThan(0);

  await testDatabase.query(
    `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
       select id, item_id, owner_id, 'owner', 'Where?' from public.conversations where item_id = $1`,
    [item.id],
  );
  const other = await newItem();
  await useUp(other.ask, 'a');
  for (let index = 0; index < 60; index += 1) expect(await ask('a', null, key)).toBeNull();
  expect(await ask('a', null, key)).toBeGreaterThan(3_000);
  // It does not apply to another finder, nor to another tag.
  expect(await ask('a', null, 'the-key-of-another-finder')).not.toBeNull();
  expect(await other.ask('a', null, key)).not.toBeNull();
});
