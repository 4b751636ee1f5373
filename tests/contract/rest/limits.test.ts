import { describe, expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);
const hiding = await startRestServer(database, { environment: { HIDE_ACCOUNT_EXISTENCE: 'true' } });

const tooMany = {
  status: 429,
  body: { code: 'over_request_rate_limit', message: 'Too many requests. Please try again later.' },
};

function claim(code: string, owner: string) {
  return { qr_id_param: code, user_id_param: owner };
}

test('after 60 misses, by any function, an address gets no more results; those behind it still find their items [D30] [K16]', async () => {
  const item = await createItem(database, await createOwner(database));
  const address = anAddress();
  const find = (code: string, from = address) => server.call(`/rpc/find_item?qr_id_param=${code}`, { address: from });
  for (let count = 0; count < 30; count += 1) expect((await find(createTagCode())).status).toBe(200);
  for (let count = 0; count < 20; count += 1) {
    expect((await server.call(`/rpc/get_qr_code_owner?qr_id_param=${createTagCode()}`, { address })).status).toBe(200);
  }
  const message = (code: string) =>
    server.call('/rpc/send_message', {
      method: 'POST',
      address,
      body: JSON.stringify({ qr_id_param: code, body_param: 'hello' }),
    });
  for (let count = 0; count < 10; count += 1) expect((await message(createTagCode())).status).toBe(404);

  // A hit costs nothing, before and after.
  const miss = await find(createTagCode());
  expect(miss).toMatchObject(tooMany);
  expect(Number(miss.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(await message(createTagCode())).toMatchObject(tooMany);
  expect((await find(item.qrId)).body).toMatchObject({ item_type: 'keys' });
  expect((await server.call(`/rpc/get_qr_code_owner?qr_id_param=${item.qrId}`, { address })).status).toBe(200);

  // A code that can be guessed is not looked up: a hit would tell it from a miss.
  await database.query("insert into public.qr_codes (qr_id) values ('bike-7') on conflict do nothing");
  const guessable = await createItem(database, await createOwner(database), { qrId: 'bike-7' });
  for (const response of [await find(guessable.qrId), await message(guessable.qrId)]) {
    expect(response).toMatchObject(tooMany);
  }
  expect((await find(guessable.qrId, anAddress())).body).toMatchObject({ item_type: 'keys' });
  expect(await database.query('select 1 from public.messages where item_id = $1', [item.id])).toEqual([]);
});

test('hits do not count', async () => {
  const item = await createItem(database, await createOwner(database));
  const address = anAddress();
  for (let count = 0; count < 70; count += 1) {
    expect((await server.call(`/rpc/find_item?qr_id_param=${item.qrId}`, { address })).status).toBe(200);
  }
});

test('5 messages an hour for a tag from one address, and any number of addresses [D32] [K4]', async () => {
  const item = await createItem(database, await createOwner(database));
  const address = anAddress();
  const send = (from: string) => sendAbout(item.qrId, 'I found it', from);
  for (let count = 0; count < 5; count += 1) expect((await send(address)).status).toBe(200);
  expect(await send(address)).toMatchObject(tooMany);
  for (let count = 5; count < 30; count += 1) expect((await send(anAddress())).status).toBe(200);
  expect(await database.query('select id from public.messages where item_id = $1', [item.id])).toHaveLength(30);
});

test('refused messages count for no address [K4]', async () => {
  const item = await createItem(database, await createOwner(database));
  for (let count = 0; count < 4; count += 1) {
    const address = anAddress();
    for (const body of ['', ' ', 'x'.repeat(251), '', ' ', '']) {
      expect((await sendAbout(item.qrId, body, address)).status).toBe(400);
    }
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await sendAbout(item.qrId, 'I found it', address)).status).toBe(200);
    }
    expect(await sendAbout(item.qrId, 'I found it', address)).toMatchObject(tooMany);
  }
});

describe('an item keeps its newest 50,000 messages', () => {
  /** Fills the item: the conversations' own messages are its oldest, from the first on. */
  async function fill(itemId: string, { isReplied }: { isReplied: boolean }): Promise<void> {
    await database.query(`
      begin;
      set local session_replication_role = replica;
      with flood as (
        insert into public.conversations (item_id, owner_id, replied_at)
          select id, user_id, ${isReplied ? 'now()' : 'null'} from public.items where id = '${itemId}' returning *
      )
      insert into public.messages (conversation_id, item_id, owner_id, sender, body)
        select id, item_id, owner_id, 'finder', 'Flood' from flood,
          generate_series(1, 50000 - (select count(*) from public.messages where item_id = '${itemId}'));
      commit`);
  }
  const bodies = async (itemId: string) =>
    (
      await database.query<{ body: string }>(
        "select body from public.messages where item_id = $1 and body <> 'Flood' order by created_at",
        [itemId],
      )
    ).map(({ body }) => body);
  const count = async (itemId: string) =>
    (await database.query('select from public.messages where item_id = $1', [itemId])).length;

  test('the oldest conversation without a reply goes first, message by message [K4] [K42]', async () => {
    const owner = await createOwner(database);
    const item = await createItem(database, owner);
    const finders = [createTagCode(), createTagCode()];
    await sendAbout(item.qrId, 'Replied', anAddress(), finders[0]);
    const [replied] = await database.query<{ id: string }>('select id from public.conversations where item_id = $1', [
      item.id,
    ]);
    const reply = JSON.stringify({ conversation_id_param: replied?.id, body_param: 'Thanks' });
    expect((await server.call('/rpc/send_reply', { method: 'POST', as: owner.caller, body: reply })).status).toBe(200);
    await sendAbout(item.qrId, 'Waiting 1', anAddress(), finders[1]);
    await sendAbout(item.qrId, 'Waiting 2', anAddress(), finders[1]);
    await fill(item.id, { isReplied: false });
    for (const body of ['New 1', 'New 2', 'New 3']) {
      expect((await sendAbout(item.qrId, body, anAddress())).status).toBe(200);
      expect(await count(item.id)).toBe(50_000);
    }
    expect(await bodies(item.id)).toEqual(['Replied', 'Thanks', 'New 1', 'New 2', 'New 3']);
    const conversations = await database.query('select from public.conversations where item_id = $1', [item.id]);
    expect(conversations, 'an empty one is gone').toHaveLength(5);
  });

  test('where the owner has replied everywhere, the oldest message goes [K42]', async () => {
    const item = await createItem(database, await createOwner(database));
    await fill(item.id, { isReplied: true });
    await database.query(
      "update public.messages set created_at = 'epoch', body = 'Oldest' where id = (select id from public.messages where item_id = $1 limit 1)",
      [item.id],
    );
    expect((await sendAbout(item.qrId, 'New', anAddress())).status).toBe(200);
    expect(await bodies(item.id)).toEqual(['New']);
    expect(await count(item.id)).toBe(50_000);
  });

  test('four times as many at once as visitors have connections all arrive [K42]', async () => {
    const item = await createItem(database, await createOwner(database));
    await sendAbout(item.qrId, 'Waiting', anAddress());
    await fill(item.id, { isReplied: false });
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, at) => sendAbout(item.qrId, `At once ${at}`, anAddress())),
    );
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await bodies(item.id)).toHaveLength(12);
    expect(await count(item.id)).toBe(50_000);
  });
});

function sendAbout(qrId: string, body: string, address: string, finderKey?: string) {
  return server.call('/rpc/send_message', {
    method: 'POST',
    address,
    body: JSON.stringify({ qr_id_param: qrId, body_param: body, finder_key_param: finderKey }),
  });
}

test('an account has so many items, in one request or in many, and a request so many rows [K13]', async () => {
  const owner = await createOwner(database);
  const rows = (count: number) =>
    Array.from({ length: count }, () => ({
      qr_id: createTagCode(),
      user_id: owner.id,
      item_type: 'keys',
      item_name: 'Keys',
    }));
  const insert = async (count: number) =>
    server.call('/items', { method: 'POST', as: owner.caller, body: JSON.stringify(rows(count)) });
  const count = () => database.query('select from public.items where user_id = $1', [owner.id]);
  expect(await insert(1_001)).toMatchObject({ status: 413, body: { code: 'PGRST102' } });
  expect((await insert(999)).status).toBe(201);
  expect(await insert(2)).toMatchObject({ status: 413, body: { code: 'PT413' } });
  expect(await count()).toHaveLength(999);
  expect((await insert(1)).status).toBe(201);
  expect((await insert(1)).status).toBe(413);
  expect(await count()).toHaveLength(1_000);
  // One at a time, also for two concurrent requests.
  await database.query(
    'delete from public.items where id in (select id from public.items where user_id = $1 limit 1)',
    [owner.id],
  );
  const both = await Promise.all([insert(1), insert(1)]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 413]);
});

test('a finder reaches the owner of a claimed code although the account has no room for another item', async () => {
  const [owner, finder] = [await createOwner(database), await createOwner(database)];
  await database.query(
    `insert into public.items (qr_id, user_id, item_type, item_name)
      select 'tgt-' || replace(gen_random_uuid()::text, '-', ''), $1, 'keys', 'Keys' from generate_series(1, 1000)`,
    [owner.id],
  );
  for (const caller of [finder.caller, undefined]) {
    const code = createTagCode();
    const claimed = await server.call('/rpc/register_qr_code', {
      method: 'POST',
      as: owner.caller,
      body: JSON.stringify(claim(code, owner.id)),
    });
    expect(claimed.status).toBe(204);
    const sent = await server.call('/rpc/send_message', {
      method: 'POST',
      ...(caller !== undefined && { as: caller }),
      body: JSON.stringify({ qr_id_param: code, body_param: 'Found it' }),
    });
    expect(sent).toMatchObject({ status: 200, body: { message_id: expect.any(String) } });
  }
});

test('10 checks an hour whether an address has an account; the secret key is not counted [A9]', async () => {
  const owner = await createOwner(database);
  const address = anAddress();
  const ask = (headers: Record<string, string> = {}) =>
    server.call('/rpc/check_user_exists', {
      method: 'POST',
      address,
      headers,
      body: JSON.stringify({ email_param: owner.email }),
    });
  for (let count = 0; count < 10; count += 1) expect((await ask()).body).toMatchObject({ exists: true });
  expect(await ask()).toMatchObject(tooMany);
  expect((await ask({ apikey: server.secretKey })).body).toMatchObject({ exists: true });
});

test('60 replies an hour in one conversation, and more in another', async () => {
  const owner = await createOwner(database);
  const client = await server.client(owner.caller);
  const conversationOf = async () => {
    const item = await createItem(database, owner);
    await sendMessage(database, item);
    const { data } = await client.from('conversations').select('id').eq('item_id', item.id).single();
    return data?.id;
  };
  const response = (conversation: unknown) =>
    client.rpc('send_reply', { conversation_id_param: conversation, body_param: 'Thank you!' });
  const first = await conversationOf();
  for (let count = 0; count < 60; count += 1) expect((await response(first)).status).toBe(200);
  expect((await response(first)).status).toBe(429);
  const id = String(first);
  for (const spelling of [id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`]) {
    expect((await response(spelling)).status).toBe(429);
  }
  expect((await response(await conversationOf())).status).toBe(200);
  // Thanks that are sent with the state of the item are a reply, too.
  const { data: conversation } = await client.from('conversations').select('item_id').eq('id', first).single();
  const takeBack = (thanks: object) =>
    client.rpc('take_back_item', { item_id_param: conversation?.item_id, ...thanks });
  expect((await takeBack({ conversation_id_param: first, thanks_param: 'Thank you!' })).status).toBe(429);
  expect((await takeBack({ thanked_id_param: first, thanks_param: 'Thank you!' })).status).toBe(429);
  expect((await takeBack({ conversation_id_param: first })).error).toBeNull();
});

test('HIDE_ACCOUNT_EXISTENCE gives the same response for every address [A9]', async () => {
  const owner = await createOwner(database);
  const visitor = await hiding.client();
  for (const email of [owner.email, 'nobody@example.com']) {
    expect((await visitor.rpc('check_user_exists', { email_param: email })).data).toEqual({
      exists: false,
      message: null,
    });
  }
});

test('500 such queries an hour in total, from all clients [A9]', async () => {
  const visitor = await server.client();
  const ask = async (client = visitor) => client.rpc('check_user_exists', { email_param: 'nobody@example.com' });
  expect((await ask()).status).toBe(200);
  await database.query(`update internal.rate_limits set points = 500 where key like 'check_user_exists_from_every%'`);
  expect(await ask(await server.client())).toMatchObject({ status: 429, error: tooMany.body });
});
