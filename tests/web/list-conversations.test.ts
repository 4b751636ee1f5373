import { describe, expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

interface Row {
  readonly id: string;
  readonly item_id: string;
  readonly newest_at: string;
  readonly is_waiting: boolean;
  readonly is_unread: boolean;
  readonly newest: {
    readonly sender: string;
    readonly body: string;
    readonly kind: string;
    readonly place: string | null;
  };
}

interface ConversationsPage {
  readonly conversations: readonly Row[];
  readonly has_more: boolean;
}

async function anOwnerOfKeys() {
  const { client, user } = await registerOwner(server);
  const item = await createItem(database, user);
  const list = async (cursor = {}): Promise<ConversationsPage> =>
    (await client.rpc('list_conversations', cursor, { get: true }).throwOnError()).data;
  const waiting = async () => (await client.rpc('item_news', undefined, { get: true }).throwOnError()).data.waiting;
  const write = async (finder: string, details: Readonly<Record<string, unknown>> = {}) => {
    const sent = {
      qr_id_param: item.qrId,
      body_param: 'I found it',
      finder_key_param: `the-key-of-${finder}-${item.id}`,
    };
    await server
      .client()
      .rpc('send_message', { ...sent, ...details })
      .throwOnError();
  };
  const reply = async (conversation: string | undefined) => {
    const said = { conversation_id_param: conversation, body_param: 'Thank you' };
    await client.rpc('send_reply', said).throwOnError();
  };
  return { client, user, item, list, waiting, write, reply };
}

test('conversations come with their newest message, the newest first', async () => {
  const { item, list, write, reply } = await anOwnerOfKeys();
  await write('one');
  await write('another', { body_param: '', kind_param: 'left_it', place_param: 'the café' });
  const [left, found] = (await list()).conversations;
  expect(left).toMatchObject({
    item_id: item.id,
    qr_id: item.qrId,
    item_name: item.itemName,
    is_unread: true,
    is_waiting: true,
    newest: { sender: 'finder', kind: 'left_it', place: 'the café', body: '' },
  });
  await reply(found?.id);
  const page = await list();
  expect(page.has_more).toBe(false);
  expect(page.conversations.map(({ id }) => id)).toEqual([found?.id, left?.id]);
  expect(page.conversations[0]).toMatchObject({
    is_waiting: false,
    is_unread: true,
    newest: { sender: 'owner', body: 'Thank you' },
  });
});

test('an item waits from its finder’s first message after a reply until the next reply', async () => {
  const { client, item, list, waiting, write, reply } = await anOwnerOfKeys();
  expect(await waiting()).toEqual([]);
  await write('one');
  await write('another');
  expect(await waiting()).toEqual([item.id]);
  const [another, one] = (await list()).conversations;
  await client.from('messages').update({ read_at: new Date().toISOString() }).eq('item_id', item.id).throwOnError();
  await reply(one?.id);
  expect(await waiting()).toEqual([item.id]);
  await reply(another?.id);
  expect(await waiting()).toEqual([]);
  await write('one');
  expect(await waiting()).toEqual([item.id]);
  expect((await list()).conversations.map(({ is_waiting }) => is_waiting)).toEqual([true, false]);
});

describe('an item does not wait where the conversation', () => {
  test.each(['returned_at', 'blocked_at'])('is %s', async (column) => {
    const { client, item, waiting, write } = await anOwnerOfKeys();
    await write('one');
    await client
      .from('conversations')
      .update({ [column]: new Date().toISOString() })
      .eq('item_id', item.id)
      .throwOnError();
    expect(await waiting()).toEqual([]);
  });
});

test('an owner reaches every conversation, also where many were written to in one moment', async () => {
  const { item, list, user } = await anOwnerOfKeys();
  await database.query(
    `with begun as (
       insert into public.conversations (item_id, owner_id)
         select $1, $2 from generate_series(1, 120) returning id, item_id, owner_id
     )
     insert into public.messages (conversation_id, item_id, owner_id, sender, body)
       select id, item_id, owner_id, 'finder', 'Found' from begun`,
    [item.id, user.id],
  );
  const pages: ConversationsPage[] = [];
  for (let cursor = {}; pages.at(-1)?.has_more !== false; ) {
    const page = await list(cursor);
    pages.push(page);
    const last = page.conversations.at(-1);
    cursor = { before_newest_at_param: last?.newest_at, before_id_param: last?.id };
  }
  expect(pages.map(({ conversations }) => conversations.length)).toEqual([50, 50, 20]);
  expect(new Set(pages.flatMap(({ conversations }) => conversations.map(({ id }) => id))).size).toBe(120);
});

test('a former owner finds the conversations about an item that was given away, and the new owner does not', async () => {
  const { client, item, list, write } = await anOwnerOfKeys();
  const receiver = await registerOwner(server);
  const prove =
    'update auth.users set email = claimed_email, claimed_email = null, email_confirmed_at = now() where id = $1';
  await database.query(prove, [receiver.user.id]);
  await write('one');
  const make = { item_id_param: item.id, email_param: receiver.email };
  const { data } = await client.rpc('offer_item', make).throwOnError();
  await receiver.client.rpc('accept_offer', { offer_id_param: data.id }).throwOnError();
  expect((await list()).conversations).toEqual([
    expect.objectContaining({ item_id: item.id, qr_id: null, item_name: item.itemName, photo: null }),
  ]);
  expect((await receiver.client.rpc('list_conversations').throwOnError()).data.conversations).toEqual([]);
});
