import { beforeAll, describe, expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);

beforeAll(async () => {
  await database.query(`
    create table public.secrets (
      id int primary key, shown text unique, hidden_column text unique default 'canary-hidden', constraint shown_is_short check (length(shown) < 5)
    );
    insert into public.secrets (id, shown, hidden_column) values (1, 'abc', 'canary-1');
    grant select (id, shown), insert (id, shown), update (shown) on public.secrets to authenticated;
    create table public.closed (id int);
    create table public.ledgers (
      id int primary key, secret_id int references public.secrets, amount int constraint amount_is_positive check (amount > 0),
      hidden_total int constraint hidden_total_is_small check (hidden_total < 10), hidden_word text not null default 'x',
      check (amount < hidden_total), exclude using btree (hidden_word with =) where (amount = 3)
    );
    create unique index ledgers_hidden on public.ledgers ((hidden_total + 0)) where amount = 1;
    create table public.hidden_entries (ledger_id int references public.ledgers);
    insert into public.ledgers (id, amount, hidden_total, hidden_word) values (1, 1, 5, 'one');
    insert into public.hidden_entries values (1);
    create function public.fill_ledger() returns trigger language plpgsql security definer as $$ begin
      new.hidden_total := case new.amount when 8 then 99 when 1 then 5 when 2 then 1 else 9 end;
      if new.amount = 7 then new.hidden_word := null; end if;
      return new;
    end $$;
    create trigger fill before insert on public.ledgers for each row execute function public.fill_ledger();
    grant select (id, secret_id, amount), insert (id, secret_id, amount), delete on public.ledgers to authenticated;
    create function public.look_insidr(secrets) returns int stable language sql as 'select 1';
    create function public.look_insidi(int) returns int stable language sql as 'select 1';
    create function public.look_inside() returns int stable language sql as 'select 1 from public.hidden_entries';
    create function public.hidden_helper() returns int stable language sql as 'select 1';
    revoke execute on function public.hidden_helper from public;
    grant execute on function public.look_inside to authenticated;
    notify pgrst, 'reload schema';
  `);
});

const everyKey = ['code', 'details', 'hint', 'message'];

describe('the error format', () => {
  test.each([
    [
      'an unknown table',
      'GET',
      '/no_such',
      404,
      'PGRST205',
      "Could not find the table 'public.no_such' in the schema cache",
    ],
    [
      'a table of another schema',
      'GET',
      '/users',
      404,
      'PGRST205',
      "Could not find the table 'public.users' in the schema cache",
    ],
    ['an unknown path', 'GET', '/items/1/2', 404, 'PGRST125', 'Invalid path specified in request URL'],
    ['the root', 'GET', '/', 404, 'PGRST126', 'Root endpoint metadata is disabled'],
    ['a method for no table', 'PUT', '/items', 405, 'PGRST117', 'Unsupported HTTP method: PUT'],
    ['an unknown column', 'GET', '/items?nope=eq.1', 400, '42703', 'column items.nope does not exist'],
    ['an unknown column to order by', 'GET', '/items?order=nope', 400, '42703', 'column items.nope does not exist'],
    [
      'an unknown operator',
      'GET',
      '/items?id=equals.1',
      400,
      'PGRST100',
      '"failed to parse filter (equals.1)" (line 1, column 1)',
    ],
    ['no operator', 'GET', '/items?id=1', 400, 'PGRST100', '"failed to parse filter (1)" (line 1, column 1)'],
    [
      'a list without an end',
      'GET',
      '/items?id=in.(1,2',
      400,
      'PGRST100',
      '"failed to parse filter (in.(1,2)" (line 1, column 8)',
    ],
    [
      'a broken logic tree',
      'GET',
      '/items?or=(id.eq.1',
      400,
      'PGRST100',
      '"failed to parse logic tree ((id.eq.1)" (line 1, column 9)',
    ],
    [
      'a broken select list',
      'GET',
      '/items?select=id,,',
      400,
      'PGRST100',
      '"failed to parse select parameter (id,,)" (line 1, column 4)',
    ],
    [
      'a limit in words',
      'GET',
      '/items?limit=many',
      400,
      'PGRST100',
      '"failed to parse limit parameter (many)" (line 1, column 1)',
    ],
    ['a negative offset', 'GET', '/items?offset=-1', 416, 'PGRST103', 'Requested range not satisfiable'],
    ['two limits', 'GET', '/items?limit=1&limit=2', 400, 'PGRST100', "The query parameter 'limit' may be given once"],
    [
      'half a percent sign',
      'GET',
      '/items?id=eq.%E0%A4%A',
      400,
      'PGRST100',
      'The query string is not percent-encoded UTF-8',
    ],
    ['a value of the wrong type', 'GET', '/items?id=eq.x', 400, '22P02', 'invalid input syntax for type uuid: "x"'],
    ['an unknown type to cast to', 'GET', '/items?select=id::regclass', 400, '42704', 'type "regclass" does not exist'],
    [
      'an operator that the type does not have',
      'GET',
      '/items?created_at=like.a',
      404,
      '42883',
      'operator does not exist: timestamp with time zone ~~ unknown',
    ],
    [
      'a relation that has nothing to do with the table',
      'GET',
      '/items?select=id,profiles(full_name)',
      400,
      'PGRST200',
      "Could not find a relationship between 'items' and 'profiles' in the schema cache",
    ],
    [
      'a parameter of a relation that is not embedded',
      'GET',
      '/items?messages.order=id',
      400,
      'PGRST108',
      "'messages' is not an embedded resource in this request",
    ],
    ['an aggregate', 'GET', '/items?select=count()', 400, 'PGRST123', 'Use of aggregate functions is not allowed'],
  ])('%s', async (_, method, path, status, code, message) => {
    const response = await server.call(path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(response.body).sort()).toEqual(everyKey);
    expect(response.body).toMatchObject({ code, message });
  });

  test('HEAD is refused without a body', async () => {
    const response = await server.call('/no_such', { method: 'HEAD' });
    expect([response.status, response.text]).toEqual([404, '']);
  });

  test('an unknown requested format', async () => {
    for (const accept of ['application/geo+json', 'application/vnd.pgrst.plan+text', 'image/png']) {
      expect(await server.call('/items', { headers: { Accept: accept } })).toMatchObject({
        status: 406,
        body: { code: 'PGRST107', message: `None of these media types are available: ${accept}` },
      });
    }
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    expect((await server.call('/items', { headers: { Accept: browser } })).status).toBe(200);
  });

  test('another schema', async () => {
    const expected = {
      code: 'PGRST106',
      message: 'Invalid schema: auth',
      hint: 'Only the following schemas are exposed: public',
    };
    const read = await server.call('/users', { headers: { 'Accept-Profile': 'auth' } });
    expect([read.status, read.body]).toMatchObject([406, expected]);
    const write = await server.call('/users', { method: 'POST', body: '{}', headers: { 'Content-Profile': 'auth' } });
    expect([write.status, write.body]).toMatchObject([406, expected]);
    expect(
      (await server.call('/items', { headers: { 'Accept-Profile': 'public' } })).headers.get('content-profile'),
    ).toBe('public');
  });

  test('preferences: passed over, or refused where handling is strict', async () => {
    const lenient = await server.call('/items', { headers: { Prefer: 'timezone=Mars/Olympus, wishes=many' } });
    expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([200, null]);
    const strict = await server.call('/items', { headers: { Prefer: 'handling=strict, wishes=many' } });
    expect(strict).toMatchObject({
      status: 400,
      body: {
        code: 'PGRST122',
        message: 'Invalid preferences given with handling=strict',
        details: 'Invalid preferences: wishes=many',
      },
    });
  });

  test('a page of another site may read every header that the client needs', async () => {
    const preflight = await server.call('/items', {
      method: 'OPTIONS',
      headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Headers': 'apikey, prefer' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('apikey, prefer');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    for (const path of ['/items', '/no_such']) {
      const response = await server.call(path, { headers: { Origin: 'https://elsewhere.example' } });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(response.headers.get('access-control-expose-headers')).toContain('Content-Range');
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('the caller', () => {
  test('without any key a visitor', async () => {
    const response = await fetch(`${server.url}/rest/v1/items`);
    expect([response.status, await response.json()]).toEqual([200, []]);
  });

  test.each([
    ['no token at all', 'Bearer rubbish', 'PGRST301', 'Expected 3 parts in JWT; got 1'],
    ['not signed by us', `Bearer ${'e30.'.repeat(2)}sig`, 'PGRST301', 'No suitable key or wrong key type'],
    ['another scheme', 'Basic dXNlcjpwYXNz', 'PGRST301', 'Expected 3 parts in JWT; got 1'],
  ])('%s', async (_, authorization, code, message) => {
    const response = await server.call('/items', { headers: { Authorization: authorization } });
    expect(response).toMatchObject({ status: 401, body: { code, message, details: null, hint: null } });
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  test('an expired token', async () => {
    const { caller } = await createOwner(database);
    const token = await server.token(caller, -60);
    const response = await server.call('/items', { headers: { Authorization: `Bearer ${token}` } });
    expect(response).toMatchObject({ status: 401, body: { code: 'PGRST303', message: 'JWT expired' } });
    expect(response.headers.get('www-authenticate')).toContain('JWT expired');
  });

  test('a token with a role other than the account’s is refused', async () => {
    const { id } = await createOwner(database);
    for (const role of ['service_role', 'postgres', 'anon']) {
      const token = await server.token({ role: 'authenticated', claims: { sub: id, role } });
      expect((await server.call('/items', { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401);
    }
  });

  test('no right: 401 for a visitor, 403 for a signed-in user', async () => {
    const { caller } = await createOwner(database);
    expect(await server.call('/closed')).toMatchObject({ status: 401, body: { code: '42501' } });
    expect(await server.call('/closed', { as: caller })).toMatchObject({ status: 403, body: { code: '42501' } });
  });
});

describe('a refusal reveals no more than the caller may know', () => {
  test('an error contains no values and no hidden columns of rows', async () => {
    const { caller } = await createOwner(database);
    const attempts = [
      ['/secrets', 'POST', '{"id":1,"shown":"x"}'],
      ['/secrets', 'POST', '{"id":2,"shown":"abc"}'],
      ['/secrets', 'POST', '{"id":3,"shown":"x"}'],
      ['/secrets', 'POST', '{"id":4,"shown":"much too long"}'],
      ['/secrets', 'POST', '{"shown":"y"}'],
      ['/secrets?select=*', 'GET', undefined],
      ['/secrets?hidden_colum=eq.1', 'GET', undefined],
      ['/secrets?select=hidden_column', 'GET', undefined],
      ['/secrets?select=hidden_column::int', 'GET', undefined],
      ['/secrets?hidden_column=gt.a', 'GET', undefined],
    ] as const;
    await database.query(`insert into public.secrets (id, shown, hidden_column) values (9, 'z', 'canary-hidden')`);
    for (const [path, method, body] of attempts) {
      const response = await server.call(path, { method, as: caller, ...(body !== undefined && { body }) });
      expect(response.status, path).toBeGreaterThanOrEqual(400);
      expect(response.status, path).toBeLessThan(500);
      expect(response.body, path).toMatchObject({ details: null, hint: null });
      expect(response.text, path).not.toContain('canary');
    }
    expect(server.logged.join('\n')).not.toContain('canary');
  });

  test.each([
    // Names that the caller has a permission for are included, as PostgreSQL prints them.
    ['a null', '{"id":null}', '23502', 'null value in column "id" of relation "ledgers" violates not-null constraint'],
    ['a key that exists', '{"id":1}', '23505', 'duplicate key value violates unique constraint "ledgers_pkey"'],
    [
      'a key that is nowhere',
      '{"id":2,"secret_id":99}',
      '23503',
      'insert or update on table "ledgers" violates foreign key constraint "ledgers_secret_id_fkey"',
    ],
    [
      'a value that is refused',
      '{"id":2,"amount":-1}',
      '23514',
      'new row for relation "ledgers" violates check constraint "amount_is_positive"',
    ],
    // Of hidden columns not even the constraints' names, which are made of theirs.
    ['a null in a hidden column', '{"id":2,"amount":7}', '23502', 'null value violates a not-null constraint'],
    [
      'a hidden value that is there',
      '{"id":2,"amount":1}',
      '23505',
      'duplicate key value violates a unique constraint',
    ],
    ['a hidden value that is refused', '{"id":2,"amount":8}', '23514', 'value violates a check constraint'],
    ['a comparison with a hidden column', '{"id":2,"amount":2}', '23514', 'value violates a check constraint'],
  ])('a broken constraint: %s', async (_, body, code, message) => {
    const { caller } = await createOwner(database);
    const response = await server.call('/ledgers', { method: 'POST', as: caller, body });
    expect(response.body).toEqual({ code, message, details: null, hint: null });
  });

  test('a row that a hidden table refers to, and a table that a function has led to, are not named', async () => {
    const { caller } = await createOwner(database);
    expect((await server.call('/ledgers?id=eq.1', { method: 'DELETE', as: caller })).body).toMatchObject({
      code: '23503',
      message: 'a foreign key constraint is violated',
    });
    expect((await server.call('/rpc/look_inside', { as: caller })).body).toMatchObject({
      code: '42501',
      message: 'permission denied',
    });
    expect((await server.call('/closed', { as: caller })).body.message).toBe('permission denied for table closed');
  });

  test.each([
    ['a table', '/secret', 'PGRST205', "Perhaps you meant the table 'public.secrets'"],
    ['a function', '/rpc/look_insid', 'PGRST202', 'Perhaps you meant to call the function public.look_inside'],
    [
      'arguments',
      '/rpc/find_item?qr_id=x',
      'PGRST202',
      'Perhaps you meant to call the function public.find_item(qr_id_param)',
    ],
    ['a relation', '/ledgers?select=secret(id)', 'PGRST200', "Perhaps you meant 'secrets' instead of 'secret'."],
    ['a hidden table', '/hidden_entrie', 'PGRST205', null],
    ['a hidden relation', '/ledgers?select=hidden_entrie(id)', 'PGRST200', null],
    ['a hidden function', '/rpc/hidden_helpe', 'PGRST202', null],
    ['a function of a row', '/rpc/look_insidr', 'PGRST202', null],
    [
      'a function without a name for its argument',
      '/rpc/look_insidi',
      'PGRST202',
      'Perhaps you meant to call the function public.look_inside',
    ],
    ['a name that does not exist', '/zzzzzz', 'PGRST205', null],
  ])('a hint uses only names that the caller may see: %s', async (_, path, code, hint) => {
    const { caller } = await createOwner(database);
    expect((await server.call(path, { as: caller })).body).toMatchObject({ code, hint });
  });

  test('a hint for a visitor names nothing that only signed-in users may see', async () => {
    expect((await server.call('/secret')).body).toMatchObject({ code: 'PGRST205', hint: null });
    const called = await server.call('/rpc/find_item', { method: 'POST', body: '{"code":"x"}' });
    expect(called).toMatchObject({
      status: 404,
      body: {
        message: 'Could not find the function public.find_item(code) in the schema cache',
        details:
          'Searched for the function public.find_item with parameter code or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      },
    });
  });

  test('an item of another owner looks like none', async () => {
    const [owner, other] = [await createOwner(database), await createOwner(database)];
    const item = await createItem(database, owner);
    const client = await server.client(other.caller);
    expect((await client.from('items').select().eq('qr_id', item.qrId)).data).toEqual([]);
    expect((await client.from('profiles').select().eq('id', owner.id)).data).toEqual([]);
    const { count } = await client.from('items').select('*', { count: 'exact', head: true }).like('qr_id', 'tgt-*');
    expect(count).toBe(0);
  });
});
