import { describe, expect, test } from 'vitest';
import { CALL_SHARES } from '#server/postgres/database.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);

await database.query(`
  create function public.wait(seconds float8) returns int language sql as 'select 1 from pg_sleep(seconds)';
  grant execute on function public.wait to anon, authenticated, service_role;
  insert into storage.objects (bucket_id, name) values ('avatars', 'a.webp');
  create policy "slowly" on storage.objects for select to anon using ((select true from pg_sleep(5)));
`);

/** An account has one call at a time. */
const perAccount = 1;
const { perHolder: perAddress } = CALL_SHARES.visitors;

/** Four run and three wait when another call arrives, which then has a turn within 5 s (decision 70). */
const MOST_SLOW_ACCOUNTS = 7;

const TOO_MANY = {
  status: 429,
  body: { code: 'over_request_rate_limit', message: 'Too many requests at once. Please try again.' },
};

const PATIENTLY = { timeout: 4_000, interval: 20 };

/** Statements about something that wait for something else. */
async function running(about: string, wait: 'Lock' | 'Timeout'): Promise<number | undefined> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity
      where datname = current_database() and state = 'active' and wait_event_type = $1 and query like $2`,
    [wait, `%${about}%`],
  );
  return row?.count;
}

async function createItemOfItsOwner() {
  const owner = await createOwner(database);
  const { id } = await createItem(database, owner);
  const rename = (name: string) =>
    server.call(`/items?id=eq.${id}`, { method: 'PATCH', as: owner.caller, body: JSON.stringify({ item_name: name }) });
  return { id, owner, rename };
}

describe('an account that holds connections for long does not keep them from other accounts', () => {
  test('writes of one account that wait for a lock: another account is served at once [H53]', async () => {
    const [greedy, other] = [await createItemOfItsOwner(), await createItemOfItsOwner()];
    const holding = await database.pool.connect();
    whenDone(() => holding.release());
    await holding.query('begin');
    await holding.query('select from public.items where id = $1 for update', [greedy.id]);
    const stuck = Array.from({ length: 4 }, (_, index) => greedy.rename(`${index}`));
    await expect.poll(() => running('items', 'Lock'), PATIENTLY).toBe(perAccount);

    expect((await other.rename('Keys')).status).toBe(204);
    expect(await running('items', 'Lock'), 'those still wait').toBe(perAccount);

    await holding.query('rollback');
    for (const { status } of await Promise.all(stuck)) expect(status).toBe(204);
  });

  test('three accounts whose calls take long: another account is served at once [H53]', async () => {
    const other = await createItemOfItsOwner();
    const greedy = await Promise.all(Array.from({ length: 3 }, () => createOwner(database)));
    const calls = Promise.all(
      greedy.flatMap(({ caller }) =>
        [1, 2].map(() => server.call('/rpc/wait', { method: 'POST', as: caller, body: '{"seconds":1.5}' })),
      ),
    );
    await expect.poll(() => running('wait', 'Timeout'), PATIENTLY).toBe(3 * perAccount);
    expect((await other.rename('Keys')).status).toBe(204);
    expect(await running('wait', 'Timeout'), 'those still wait').toBe(3 * perAccount);
    expect((await calls).map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  test('a call that waits too long for the account’s own calls is refused with 429, and served afterwards [H53]', async () => {
    const { caller } = await createOwner(database);
    const wait = () => server.call('/rpc/wait', { method: 'POST', as: caller, body: '{"seconds":3.5}' });
    const held = Array.from({ length: 2 * perAccount }, wait);
    await expect.poll(() => running('wait', 'Timeout'), PATIENTLY).toBe(perAccount);
    const client = await server.client(caller);
    const [refused, listed] = await Promise.all([wait(), client.storage.from('avatars').list()]);
    expect(refused).toMatchObject(TOO_MANY);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(listed.error).toMatchObject({ status: 429, code: 'SlowDown', message: TOO_MANY.body.message });
    for (const { status } of await Promise.all(held)) expect(status).toBe(200);
    expect((await server.call('/items', { as: caller })).status).toBe(200);
  });

  test('seven accounts whose calls take as long as they may: calls of others wait, and none fails [H53]', async () => {
    const greedy = await Promise.all(Array.from({ length: MOST_SLOW_ACCOUNTS }, () => createOwner(database)));
    const others = await Promise.all([createItemOfItsOwner(), createItemOfItsOwner()]);
    let isOver = false;
    const slow = greedy.map(async ({ caller }) => {
      while (!isOver) await server.call('/rpc/wait', { method: 'POST', as: caller, body: '{"seconds":60}' });
    });
    await expect.poll(() => running('wait', 'Timeout'), PATIENTLY).toBe(CALL_SHARES.callers.connections);
    try {
      for (const round of ['first', 'second']) {
        const writes = others.flatMap(({ rename }) => [1, 2, 3].map((index) => rename(`${round} ${index}`)));
        const statuses = (await Promise.all(writes)).map(({ status }) => status);
        expect(statuses, `the ${round} time`).toEqual(Array(6).fill(204));
      }
      expect(await running('wait', 'Timeout'), 'those still go on').toBeGreaterThan(1);
    } finally {
      isOver = true;
      await Promise.all(slow);
    }
  });

  test('slow calls with the secret key: owners, visitors, and sign-ins are served at once [H53]', async () => {
    const other = await createItemOfItsOwner();
    const slow = Array.from({ length: 6 }, () =>
      server.call('/rpc/wait', {
        method: 'POST',
        body: '{"seconds":4}',
        headers: { apikey: server.secretKey },
      }),
    );
    const { perHolder } = CALL_SHARES.service;
    await expect.poll(() => running('wait', 'Timeout'), PATIENTLY).toBe(perHolder);
    const signIn = fetch(`${server.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'none@example.com', password: 'no such account' }),
    });
    const visit = server.call('/rpc/wait', { method: 'POST', body: '{"seconds":0}' });
    const served = await Promise.all([other.rename('Keys'), visit, signIn]);
    expect(served.map(({ status }) => status)).toEqual([204, 200, 400]);
    expect(await running('wait', 'Timeout'), 'those still go on').toBe(perHolder);
    await Promise.all(slow);
  });

  test('slow calls of a visitor: a visitor from another address is served at once [H53]', async () => {
    // A visitor's statement ends after a second.
    const responses = await inSomeAttempt(async () => {
      const elsewhere = server.client(undefined, '198.51.100.78');
      const listing = Array.from({ length: 4 }, async () => (await elsewhere).storage.from('avatars').list());
      const slow = Array.from({ length: 4 }, () =>
        server.call('/rpc/wait', { method: 'POST', address: '198.51.100.77', body: '{"seconds":5}' }),
      );
      const ended = Promise.all([Promise.all(slow), Promise.all(listing)]);
      try {
        await expect
          .poll(() => Promise.all([running('wait', 'Timeout'), running('storage.objects', 'Timeout')]), PATIENTLY)
          .toEqual([perAddress, perAddress]);
        const startedAt = performance.now();
        expect((await server.call('/rpc/wait', { method: 'POST', body: '{"seconds":0}' })).body).toBe(1);
        expect(performance.now() - startedAt).toBeLessThan(900);
      } finally {
        await ended;
      }
      return ended;
    });
    for (const { status } of responses[0]) expect(status).toBe(500);
    for (const { error } of responses[1]) expect(error).toMatchObject({ status: 544 });
  });
});
