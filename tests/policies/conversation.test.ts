import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { VISITOR } from '#server/postgres/caller.ts';
import { actAs } from '#tests/support/act-as.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const database = await createTestDatabase();
const owner = await createOwner(database);
/** What the finder of this code keeps. */
const keyFor = (code: string) => `the-key-for-${code}`;

interface ReadMessage {
  readonly id: string;
  readonly sender: 'finder' | 'owner';
  readonly body: string;
  readonly sent_at: string;
}

async function write(code: string, body: string, finderKey = keyFor(code)): Promise<void> {
  await actAs(database, VISITOR, (client) =>
    client.query('select public.send_message($1, $2, gen_random_uuid(), $3)', [code, body, finderKey]),
  );
}

async function reply(conversation: string, body: string, id: string = randomUUID()): Promise<unknown> {
  return actAs(database, owner.caller, async (client) => {
    const { rows } = await client.query('select public.send_reply($1, $2, $3) as sent', [conversation, body, id]);
    return rows[0]?.sent;
  });
}

async function read(code: string, finderKey = keyFor(code)): Promise<readonly ReadMessage[] | null> {
  return actAs(database, VISITOR, async (client) => {
    const { rows } = await client.query<{ read: { messages: ReadMessage[] } | null }>(
      'select public.read_conversation($1, $2) as read',
      [code, finderKey],
    );
    return rows[0]?.read?.messages ?? null;
  });
}

async function conversationOf(itemId: string): Promise<string> {
  const [row] = await database.query<{ id: string }>('select id from public.conversations where item_id = $1', [
    itemId,
  ]);
  if (row === undefined) throw new Error('There is no conversation.');
  return row.id;
}

test('the holder of the key reads both sides in order, and nothing beside what was said and its time', async () => {
  const item = await createItem(database, owner);
  await write(item.qrId, 'I have it');
  await reply(await conversationOf(item.id), 'Where are you?');
  await write(item.qrId, 'At the café');
  await write(item.qrId, 'Another finder', 'the-key-of-another-finder');
  const messages = await read(item.qrId);
  expect(messages?.map(({ sender, body }) => [sender, body])).toEqual([
    ['finder', 'I have it'],
    ['owner', 'Where are you?'],
    ['finder', 'At the café'],
  ]);
  for (const message of messages ?? [])
    expect(Object.keys(message).sort()).toEqual([
      'amount',
      'body',
      'currency',
      'desk',
      'id',
      'kind',
      'language',
      'location',
      'moment',
      'photo',
      'place',
      'sender',
      'sent_at',
      'time_zone',
    ]);
});

test('a reply sent again under its id is one reply, also when both arrive at once', async () => {
  const item = await createItem(database, owner);
  await write(item.qrId, 'I have it');
  const conversation = await conversationOf(item.id);
  const id = randomUUID();
  const responses = await Promise.all(Array.from({ length: 5 }, () => reply(conversation, 'Thank you!', id)));
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  expect((await read(item.qrId))?.filter(({ sender }) => sender === 'owner')).toHaveLength(1);
});

test('conversations and messages without an id of the client have ids in the order of time', async () => {
  const item = await createItem(database, owner);
  const before = Date.now();
  for (const body of ['The first', 'The second', 'The third']) {
    await actAs(database, VISITOR, (client) =>
      client.query('select public.send_message($1, $2, finder_key_param => $3)', [
        item.qrId,
        body,
        `${body} finder's key`,
      ]),
    );
  }
  for (const table of ['conversations', 'messages']) {
    const rows = await database.query<{ id: string }>(
      `select id from public.${table} where item_id = $1 order by created_at`,
      [item.id],
    );
    expect(rows).toHaveLength(3);
    for (const { id } of rows)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const times = rows.map(({ id }) => Number.parseInt(id.replace('-', '').slice(0, 12), 16));
    // Those of one millisecond have any order.
    const inOrder = [before, ...times, Date.now()];
    expect(inOrder.toSorted((a, b) => a - b)).toEqual(inOrder);
  }
});

test('only the last hundred messages of a long conversation are read', async () => {
  const item = await createItem(database, owner);
  await write(item.qrId, 'The first');
  const conversation = await conversationOf(item.id);
  await database.query(
    `insert into public.messages (conversation_id, item_id, owner_id, sender, body, created_at)
       select $1, $2, $3, 'owner', 'Number ' || number, now() + number * interval '1 second'
         from generate_series(1, 100) as number`,
    [conversation, item.id, owner.id],
  );
  const messages = await read(item.qrId);
  expect(messages).toHaveLength(100);
  expect(messages?.at(0)?.body).toBe('Number 1');
  expect(messages?.at(-1)?.body).toBe('Number 100');
});

test('a reply enqueues no notice: the owner wrote it, and the finder has no address', async () => {
  const item = await createItem(database, owner);
  await write(item.qrId, 'I have it');
  const conversation = await conversationOf(item.id);
  const jobs = async () =>
    (await database.query<{ count: number }>('select count(*)::int from graphile_worker.jobs'))[0];
  const before = await jobs();
  await reply(conversation, 'Thank you!');
  expect(await jobs()).toEqual(before);
});

test('a missing profile is recreated from the account, once, and every server is notified that the page changed', async () => {
  const item = await createItem(database, owner);
  const other = await createOwner(database, { fullName: 'Noa Bar', phone: '+972501112233' });
  const theirs = await createItem(database, other);
  const repair = async () =>
    (await database.query<{ made: boolean }>('select internal.repair_profile_of_owner($1) as made', [theirs.qrId]))[0];
  await database.query('delete from public.profiles where id = $1', [other.id]);
  const client = await database.pool.connect();
  const heard: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => heard.push(payload));
  try {
    await client.query('listen item_changed');
    expect(await repair()).toEqual({ made: true });
    expect(await repair()).toEqual({ made: false });
    await client.query('select 1');
  } finally {
    client.removeAllListeners('notification');
    await client.query('unlisten *');
    client.release();
  }
  expect(heard).toContain(theirs.qrId);
  expect(heard).not.toContain(item.qrId);
  const [made] = await database.query('select full_name, email, phone from public.profiles where id = $1', [other.id]);
  expect(made).toEqual({ full_name: 'Noa Bar', email: other.email, phone: '+972501112233' });
});
