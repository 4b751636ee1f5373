import { describe, expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);

await database.query(`
  create function public.request() returns jsonb stable language sql as $$
    select jsonb_build_object(
      'method', current_setting('request.method'), 'path', current_setting('request.path'),
      'headers', current_setting('request.headers')::jsonb, 'cookies', current_setting('request.cookies')::jsonb
    ) $$;
  create function public.respond(status text, headers text) returns int language sql as $$
    select set_config('response.status', status, true), set_config('response.headers', headers, true);
    select 7 $$;
  create function public.respond_with_rows() returns setof int language plpgsql as $$ begin
    perform set_config('response.status', '202', true), set_config('response.headers', '[{"X-Rows": "2"}]', true);
    return query values (1), (2);
  end $$;
  create function public.refuse(message text, detail text) returns int stable language plpgsql as $$ begin
    raise sqlstate 'PGRST' using message = refuse.message, detail = refuse.detail;
  end $$;
  create function public.wait(seconds float8) returns int stable language sql as 'select 1 from pg_sleep(seconds)';
  create table public.tellers (id int primary key);
  create function public.tell() returns trigger language plpgsql as $$ begin
    perform set_config('response.headers', '[{"X-Told": "yes"}]', true), set_config('response.status', '203', true);
    return new;
  end $$;
  create trigger tell before insert on public.tellers for each row execute function public.tell();
  create table public.doors (word text);
  alter table public.doors enable row level security;
  create policy "who says the word" on public.doors for select to anon
    using (word = current_setting('request.headers', true)::json ->> 'x-word');
  insert into public.doors values ('sesame'), ('swordfish');
  grant select, insert on public.tellers, public.doors to anon;
  grant execute on function public.request, public.respond, public.respond_with_rows, public.refuse, public.wait to anon, authenticated;
`);

describe('what functions and policies may read', () => {
  test('method, path, headers and cookies of the request, and of no request before it', async () => {
    const first = await server.call('/rpc/request', { headers: { 'X-Mine': 'a', Cookie: 'one=1; two="2"; broken' } });
    expect(first.body).toMatchObject({
      method: 'GET',
      path: '/rpc/request',
      headers: { 'x-mine': 'a' },
      cookies: { one: '1', two: '"2"' },
    });
    const second = await server.call('/rpc/request', { method: 'POST', body: '{}' });
    expect(second.body).toMatchObject({ method: 'POST', cookies: {} });
    expect(second.body.headers).not.toHaveProperty('x-mine');
  });

  test('a policy decides by a header', async () => {
    expect((await server.call('/doors')).body).toEqual([]);
    expect((await server.call('/doors', { headers: { 'X-Word': 'sesame' } })).body).toEqual([{ word: 'sesame' }]);
  });
});

describe('what functions and triggers may say', () => {
  const respond = (status: string, headers: string) =>
    server.call('/rpc/respond', { method: 'POST', body: JSON.stringify({ status, headers }) });

  test('the status and headers of the response', async () => {
    const response = await respond('418', '[{"X-Tea": "green"}, {"Cache-Control": "no-store"}]');
    expect([response.status, response.text]).toEqual([418, '7']);
    expect([response.headers.get('x-tea'), response.headers.get('cache-control')]).toEqual(['green', 'no-store']);
    const rows = await server.call('/rpc/respond_with_rows', { method: 'POST' });
    expect([rows.status, rows.body, rows.headers.get('x-rows')]).toEqual([202, [1, 2], '2']);
    const inserted = await server.call('/tellers', { method: 'POST', body: '{"id":1}' });
    expect([inserted.status, inserted.headers.get('x-told')]).toEqual([203, 'yes']);
    // The next response does not have it.
    expect((await server.call('/rpc/request')).status).toBe(200);
  });

  test.each([
    ['an invalid status', 'many', '', 'PGRST112'],
    ['an informational status', '100', '', 'PGRST112'],
    ['headers that are not JSON', '', 'X: 1', 'PGRST111'],
    ['headers that are not a list', '', '{"X": "1"}', 'PGRST111'],
    ['a header with a line of its own', '', JSON.stringify([{ X: 'a\r\nSet-Cookie: b' }]), 'PGRST111'],
    ['a header of the connection', '', '[{"Content-Length": "1"}]', 'PGRST111'],
  ])('%s', async (_, status, headers, code) => {
    const response = await respond(status, headers);
    expect([response.status, response.body.code]).toEqual([500, code]);
  });

  test('an error in their own words', async () => {
    const refuse = (message: unknown, detail: unknown) =>
      server.call('/rpc/refuse', {
        method: 'POST',
        body: JSON.stringify({ message: JSON.stringify(message), detail: JSON.stringify(detail) }),
      });
    const said = { code: 'MINE', message: 'Too much tea', details: 'two cups', hint: 'one cup' };
    const response = await refuse(said, { status: 429, headers: { 'Retry-After': '9' } });
    expect([response.status, response.body, response.headers.get('retry-after')]).toEqual([429, said, '9']);
    expect((await refuse({ code: 'MINE' }, { status: 429 })).body.code).toBe('PGRST121');
    expect((await refuse(said, { status: 99 })).status).toBe(500);
  });
});

describe('time', () => {
  test('a visitor has a second, a signed-in user has more', async () => {
    const { caller } = await createOwner(database);
    const [visitor, owner] = await Promise.all([
      server.call('/rpc/wait?seconds=1.3'),
      server.call('/rpc/wait?seconds=1.3', { as: caller }),
    ]);
    expect([visitor.status, visitor.body]).toEqual([
      500,
      { code: '57014', message: 'canceling statement due to statement timeout', details: null, hint: null },
    ]);
    expect([owner.status, owner.body]).toEqual([200, 1]);
  });

  test('slow visitors do not delay signed-in users [H53]', async () => {
    const owner = await createOwner(database);
    await createItem(database, owner);
    await inSomeAttempt(async () => {
      const slow = Promise.all(Array.from({ length: 30 }, () => server.call('/rpc/wait?seconds=5')));
      const startedAt = performance.now();
      const { body } = await server.call('/items', { as: owner.caller });
      const waited = performance.now() - startedAt;
      for (const response of await slow) expect([500, 503]).toContain(response.status);
      expect(body).toHaveLength(1);
      expect(waited).toBeLessThan(900);
    });
    expect((await server.call('/rpc/request')).status).toBe(200);
  });
});
