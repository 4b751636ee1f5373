import { beforeAll, describe, expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);

/** Functions of an operator's own, one for each kind of result. */
beforeAll(async () => {
  await database.query(`
    create table public.hits (id int generated always as identity, name text);
    insert into public.hits (name) values ('a'), ('b'), ('c');
    grant select on public.hits to anon;
    create function public.nothing(n int default 0) returns void language sql as 'select';
    create function public.sum_of(a bigint, b numeric default 1) returns numeric stable language sql as 'select a + b';
    create function public.echo_json(value jsonb) returns jsonb immutable language sql as 'select value';
    create function public.echo_list("values" text[]) returns text[] immutable language sql as 'select "values"';
    create function public.numbers(most int) returns setof int stable language sql as 'select generate_series(1, most)';
    create function public.all_hits() returns setof public.hits stable language sql as 'select * from public.hits order by id';
    create function public.pairs() returns table (left_name text, n int) stable language sql as $$ values ('x', 1), ('y', 2) $$;
    create function public.one_hit(hit int) returns public.hits stable language sql as 'select * from public.hits where id = hit';
    create function public.add_hit(name text) returns setof public.hits volatile security definer language sql
      as 'insert into public.hits (name) values (add_hit.name) returning *';
    create function public.slow(seconds float8) returns int stable language sql as 'select 1 from pg_sleep(seconds)';
    create function public.sly() returns int stable language sql as 'select id from public.add_hit(''sly'')';
    create function public.claims() returns jsonb stable language sql as 'select auth.jwt()';
    create function public.twice(a int) returns int immutable language sql as 'select a * 2';
    create function public.twice(a text) returns text immutable language sql as 'select a || a';
    create function public.raises(code text) returns int stable language plpgsql
      as $$ begin raise exception 'said so' using errcode = code, detail = 'more', hint = 'try again'; end $$;
    create function public.whole(json) returns json immutable language sql as 'select $1';
    create function public.twice(jsonb) returns text immutable language sql as $$ select 'the body' $$;
    create function public.nobodys(text) returns text immutable language sql as 'select $1';
    create function public.total(first int, variadic others int[]) returns bigint immutable language sql
      as 'select first + sum(other) from unnest(others) as other';
    grant execute on all functions in schema public to anon, authenticated;
    revoke execute on function public.register_qr_code(text, uuid) from anon;
    notify pgrst, 'reload schema';
  `);
});

describe('the functions of the product', () => {
  test('find_item shows what a finder may know, by POST and by GET', async () => {
    const owner = await createOwner(database, { fullName: 'Olive Branch', phone: '+972501234567' });
    const item = await createItem(database, owner, { itemName: 'Blue keys' });
    const visitor = await server.client();
    const expected = {
      item_type: 'keys',
      item_name: 'Blue keys',
      photo: null,
      owner_first_name: 'Olive',
      note_to_finders: null,
      reward: null,
      lost: false,
      has_contact_details: true,
      channels: { whatsapp: true, call: true, email: true, message: true },
    };
    expect(await visitor.rpc('find_item', { qr_id_param: item.qrId })).toMatchObject({ data: expected, status: 200 });
    const got = await server.call(`/rpc/find_item?qr_id_param=${item.qrId}`);
    expect(got.body).toEqual(expected);
    expect(got.headers.get('content-type')).toBe('application/json; charset=utf-8');
    for (const secret of ['Branch', '972501234567', owner.email, owner.id]) expect(got.text).not.toContain(secret);
    expect(await visitor.rpc('find_item', { qr_id_param: createTagCode() }, { get: true })).toMatchObject({
      data: null,
      error: null,
      status: 200,
    });
  });

  test('get_qr_code_owner: the own id, an opaque reference, nothing', async () => {
    const [owner, other] = [await createOwner(database), await createOwner(database)];
    const item = await createItem(database, owner);
    const ask = async (caller?: typeof owner.caller) =>
      (await (await server.client(caller)).rpc('get_qr_code_owner', { qr_id_param: item.qrId })).data;
    expect(await ask(owner.caller)).toBe(owner.id);
    const reference = await ask(other.caller);
    expect(reference).toMatch(/^[0-9a-f-]{36}$/);
    expect([owner.id, null]).not.toContain(reference);
    expect(await ask()).toBe(reference);
    expect((await (await server.client()).rpc('get_qr_code_owner', { qr_id_param: createTagCode() })).data).toBeNull();
  });

  test('register_qr_code claims for the caller alone', async () => {
    const [owner, other] = [await createOwner(database), await createOwner(database)];
    const qrId = createTagCode();
    const register = async (caller: typeof owner.caller | undefined, user: string) =>
      (await server.client(caller)).rpc('register_qr_code', { qr_id_param: qrId, user_id_param: user });
    expect(await register(undefined, owner.id)).toMatchObject({ status: 401, error: { code: '42501' } });
    expect(await register(other.caller, owner.id)).toMatchObject({
      status: 403,
      error: { message: 'A code can be registered only for the account that asks' },
    });
    expect(await register(owner.caller, owner.id)).toMatchObject({ status: 204, data: null, error: null });
    expect(await register(other.caller, other.id)).toMatchObject({
      status: 409,
      error: { message: 'This QR code is already registered to another account' },
    });
    expect(await database.query('select owner_id from public.qr_codes where qr_id = $1', [qrId])).toEqual([
      { owner_id: owner.id },
    ]);
  });

  test('send_message keeps the message, once', async () => {
    const item = await createItem(database, await createOwner(database));
    const visitor = await server.client();
    const message = {
      qr_id_param: item.qrId,
      body_param: '  I found it 😀  ',
      message_id_param: crypto.randomUUID(),
    };
    const first = await visitor.rpc('send_message', message);
    expect(first.error).toBeNull();
    expect(first.data.message_id).toBe(message.message_id_param);
    expect((await visitor.rpc('send_message', message)).data).toEqual(first.data);
    expect(await database.query('select id, body, sender from public.messages where item_id = $1', [item.id])).toEqual([
      { id: message.message_id_param, body: 'I found it 😀', sender: 'finder' },
    ]);
    const tooLong = await visitor.rpc('send_message', { qr_id_param: item.qrId, body_param: 'x'.repeat(251) });
    expect([tooLong.status, tooLong.error?.message]).toEqual([400, 'A message has between 1 and 250 characters']);
    const nowhere = await visitor.rpc('send_message', { qr_id_param: createTagCode(), body_param: 'hello' });
    expect([nowhere.status, nowhere.error?.message]).toEqual([404, 'No item has this code']);
  });

  test('check_user_exists reveals proved addresses alone', async () => {
    const owner = await createOwner(database);
    const visitor = await server.client();
    const ask = async (email: string) => (await visitor.rpc('check_user_exists', { email_param: email })).data;
    expect(await ask(` ${owner.email.toUpperCase()} `)).toEqual({
      exists: true,
      message: 'An account with this email already exists. Please sign in instead.',
    });
    await database.query(
      'update auth.users set claimed_email = email, email = null, email_confirmed_at = null where id = $1',
      [owner.id],
    );
    expect(await ask(owner.email)).toEqual({ exists: false, message: null });
  });
});

describe('arguments and results', () => {
  test.each([
    ['a number, with a default', 'sum_of', '{"a":2}', '3'],
    ['a big number as text', 'sum_of', '{"a":"9007199254740993","b":0}', '9007199254740993'],
    ['a big number', 'sum_of', '{"a":9007199254740993,"b":0.10}', '9007199254740993.10'],
    [
      'JSON',
      'echo_json',
      '{"value":{"a":[1,"x",null,12345678901234567890]}}',
      '{"a": [1, "x", null, 12345678901234567890]}',
    ],
    ['JSON null is the JSON null', 'echo_json', '{"value":null}', 'null'],
    ['a list', 'echo_list', '{"values":["a","b,c","\\"d\\"",null]}', '["a","b,c","\\"d\\"",null]'],
    ['a set of values', 'numbers', '{"most":3}', '[1, 2, 3]'],
    ['an empty set', 'numbers', '{"most":0}', '[]'],
    ['the last of two keys, as PostgreSQL reads them', 'echo_list', '{"values":["a"],"values":["b"]}', '["b"]'],
  ])('%s', async (_, name, body, expected) => {
    const response = await server.call(`/rpc/${name}`, { method: 'POST', body });
    expect([response.status, response.text]).toEqual([200, expected]);
  });

  test('numbers are kept digit by digit in a body of up to 64 KiB; the digits of a text are no number [K40]', async () => {
    const call = (value: string) => server.call('/rpc/echo_json', { method: 'POST', body: `{"value":${value}}` });
    const fill = '1,'.repeat(40_000);
    expect((await call(`[${fill}12345678901234567890]`)).status).toBe(413);
    expect((await call(`[${fill}1e400]`)).status).toBe(413);
    expect((await call(`[${fill}"12345678901234567890 1e400"]`)).status).toBe(200);
    expect((await call('[1e3,-12345678901234567890.5]')).text).toBe('[1000, -12345678901234567890.5]');
  });

  test('by GET: arguments, arrays, and the rows shaped', async () => {
    expect((await server.call('/rpc/echo_list?values={a,"b,c"}')).body).toEqual(['a', 'b,c']);
    const visitor = await server.client();
    const rows = await visitor
      .rpc('all_hits', {}, { get: true })
      .select('name')
      .gt('id', 1)
      .order('id', { ascending: false });
    expect(rows.data).toEqual([{ name: 'c' }, { name: 'b' }]);
    expect(await visitor.rpc('all_hits', {}, { head: true, count: 'exact' })).toMatchObject({ count: 3, data: null });
    const page = await server.call('/rpc/all_hits?limit=2', { headers: { Prefer: 'count=exact' } });
    expect([page.status, page.headers.get('content-range')]).toEqual([206, '0-1/3']);
  });

  test('a single result is counted as one row, and one that the filters exclude is null', async () => {
    const visitor = await server.client();
    for (const how of [{}, { get: true }, { head: true }])
      expect(await visitor.rpc('sum_of', { a: 1 }, { ...how, count: 'exact' })).toMatchObject({
        status: 200,
        count: 1,
      });
    expect((await server.call('/rpc/sum_of?a=1')).headers.get('content-range')).toBe('0-0/*');
    expect((await server.call('/rpc/one_hit?hit=1')).headers.get('content-range')).toBe('0-0/*');
    expect(await visitor.rpc('one_hit', { hit: 1 }).eq('name', 'b')).toMatchObject({
      status: 200,
      data: null,
      error: null,
    });
    expect((await visitor.rpc('one_hit', { hit: 1 }).eq('name', 'b').single()).error?.code).toBe('PGRST116');
  });

  test('a function of one argument without a name is given the whole body, where its arguments fit no other', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('whole', { a: [1, { b: null }] })).data).toEqual({ a: [1, { b: null }] });
    expect((await server.call('/rpc/whole', { method: 'POST', body: '[1,2]' })).body).toEqual([1, 2]);
    expect((await visitor.rpc('whole')).data).toEqual({});
    expect((await visitor.rpc('twice', { b: 1 })).data).toBe('the body');
    expect((await visitor.rpc('whole', {}, { get: true })).error?.code).toBe('PGRST202');
    expect((await visitor.rpc('nobodys', { a: 1 })).error?.code).toBe('PGRST202');
    expect((await server.call('/rpc/sum_of', { method: 'POST', body: '[1]' })).body.code).toBe('PGRST102');
  });

  test('a variadic argument is a list or a repeated parameter', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('total', { first: 1, others: [2, 3] })).data).toBe(6);
    expect((await visitor.rpc('total', { first: 1, others: [2, 3] }, { get: true })).data).toBe(6);
    expect((await server.call('/rpc/total?first=1&others=2')).body).toBe(3);
    expect((await server.call('/rpc/total?first=1&others=2&others=3&others=4')).body).toBe(10);
    expect((await server.call('/rpc/total?first=1&first=2&others=3')).body.code).toBe('PGRST100');
    expect((await visitor.rpc('total', { first: 1 })).error?.code).toBe('PGRST202');
  });

  test('rows, one row, no row', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('pairs').eq('n', 2).single()).data).toEqual({ left_name: 'y', n: 2 });
    expect((await visitor.rpc('one_hit', { hit: 2 })).data).toEqual({ id: 2, name: 'b' });
    expect((await visitor.rpc('pairs').single()).error?.code).toBe('PGRST116');
    expect(await visitor.rpc('nothing', { n: 1 })).toMatchObject({ status: 204, data: null, error: null });
    expect((await server.call('/rpc/nothing', { method: 'POST' })).status).toBe(204);
  });

  test('a function that writes is called once, by POST alone, and rolled back where its response is refused', async () => {
    const hits = () => database.query(`select name from public.hits where name like 'new%' or name = 'sly'`);
    const visitor = await server.client();
    const added = await visitor.rpc('add_hit', { name: 'new' }, { count: 'exact' }).select('name');
    expect([added.data, added.count]).toEqual([[{ name: 'new' }], 1]);
    expect(await hits()).toHaveLength(1);
    const read = await server.call('/rpc/add_hit?name=newer');
    expect([read.status, read.body.code]).toEqual([405, '25006']);
    // The function is declared read-only and calls another one that writes.
    expect((await server.call('/rpc/sly', { method: 'POST' })).body.code).toBe('25006');
    const limited = await server.call('/rpc/add_hit', {
      method: 'POST',
      body: '{"name":"newest"}',
      headers: { Prefer: 'handling=strict, max-affected=0' },
    });
    expect(limited.body.code).toBe('PGRST124');
    expect(await hits()).toHaveLength(1);
  });

  test('a function sees the caller’s claims', async () => {
    const { id, caller } = await createOwner(database);
    expect((await server.call('/rpc/claims', { as: caller })).body).toMatchObject({ sub: id, role: 'authenticated' });
    expect((await server.call('/rpc/claims')).body).toEqual({ role: 'anon' });
  });
});

describe('refusals', () => {
  test.each([
    [
      'an unknown function',
      'POST',
      '/rpc/no_such',
      '{"b":1,"a":2}',
      404,
      'PGRST202',
      'Could not find the function public.no_such(a, b) in the schema cache',
    ],
    [
      'an unknown argument',
      'GET',
      '/rpc/find_item?code=x',
      undefined,
      404,
      'PGRST202',
      'Could not find the function public.find_item(code) in the schema cache',
    ],
    [
      'a missing argument',
      'POST',
      '/rpc/find_item',
      '{}',
      404,
      'PGRST202',
      'Could not find the function public.find_item without parameters in the schema cache',
    ],
    [
      'several that fit',
      'POST',
      '/rpc/twice',
      '{"a":1}',
      300,
      'PGRST203',
      'Could not choose the best candidate function between: public.twice(a => integer), public.twice(a => text)',
    ],
    ['another method', 'DELETE', '/rpc/find_item', undefined, 405, 'PGRST101', 'Cannot use the DELETE method on RPC'],
    [
      'an argument twice',
      'GET',
      '/rpc/find_item?qr_id_param=a&qr_id_param=b',
      undefined,
      400,
      'PGRST100',
      "The query parameter 'qr_id_param' may be given once",
    ],
    ['a list as body', 'POST', '/rpc/find_item', '[1]', 400, 'PGRST102', 'Empty or invalid json'],
    [
      'an argument of the wrong type',
      'POST',
      '/rpc/sum_of',
      '{"a":"x"}',
      400,
      '22P02',
      'invalid input syntax for type bigint: "x"',
    ],
    [
      'a function of another schema',
      'POST',
      '/rpc/jwt',
      '{}',
      404,
      'PGRST202',
      'Could not find the function public.jwt without parameters in the schema cache',
    ],
    [
      'a trigger function',
      'POST',
      '/rpc/claim_code_of_new_item',
      '{}',
      404,
      'PGRST202',
      'Could not find the function public.claim_code_of_new_item without parameters in the schema cache',
    ],
  ])('%s', async (_, method, path, body, status, code, message) => {
    const response = await server.call(path, { method, ...(body !== undefined && { body }) });
    expect(response.status).toBe(status);
    expect(Object.keys(response.body).sort()).toEqual(['code', 'details', 'hint', 'message']);
    expect(response.body).toMatchObject({ code, message });
  });

  test('a function chooses its own status and message', async () => {
    expect(await server.call('/rpc/raises?code=PT418')).toMatchObject({
      status: 418,
      body: { code: 'PT418', message: 'said so', details: 'more', hint: 'try again' },
    });
    expect((await server.call('/rpc/raises?code=P0001')).status).toBe(400);
  });

  test('a slow function ends after a second, and delays no other call', async () => {
    const item = await createItem(database, await createOwner(database));
    const look = async () => {
      const startedAt = performance.now();
      expect((await server.call(`/rpc/find_item?qr_id_param=${item.qrId}`)).status).toBe(200);
      return performance.now() - startedAt;
    };
    await inSomeAttempt(async () => {
      const slow = server.call('/rpc/slow?seconds=5');
      // Long enough for the slow statement to be classified as slow.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const waits: number[] = [];
      for (let count = 0; count < 5; count += 1) waits.push(await look());
      const response = await slow;
      expect([response.status, response.body.code]).toEqual([500, '57014']);
      expect(Math.max(...waits)).toBeLessThan(500);
    });
  });
});
