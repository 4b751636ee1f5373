import { expect, test } from 'vitest';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database, { environment: { REST_PLAN: 'true' } });

const tooMany = {
  status: 429,
  body: { code: 'over_request_rate_limit', message: 'Too many requests. Please try again later.' },
};
const ROLLBACK = { Prefer: 'tx=rollback' };

interface Door {
  readonly path: string;
  /** The request's body for a code. */
  readonly body: (code: string, caller: { readonly owner: TestOwner; readonly item: TestItem }) => unknown;
}

const tagged = (code: string, owner: TestOwner) => ({
  qr_id: code,
  user_id: owner.id,
  item_type: 'keys',
  item_name: 'Keys',
});
const byCode = (name: string): Door => ({ path: `/rpc/${name}`, body: (code) => ({ qr_id_param: code }) });

/** Everything by which a caller can learn of a code that is not theirs. */
const DOORS: Readonly<Record<string, Door>> = {
  'insert into items': { path: '/items', body: (code, { owner }) => tagged(code, owner) },
  attach_qr_code: {
    path: '/rpc/attach_qr_code',
    body: (code, { item }) => ({ qr_id_param: code, item_id_param: item.id }),
  },
  can_claim_code: byCode('can_claim_code'),
  find_item: byCode('find_item'),
  find_typed_code: { path: '/rpc/find_typed_code', body: (code) => ({ typed_code_param: code }) },
  get_qr_code_owner: byCode('get_qr_code_owner'),
  register_qr_code: {
    path: '/rpc/register_qr_code',
    body: (code, { owner }) => ({ qr_id_param: code, user_id_param: owner.id }),
  },
  save_items: { path: '/rpc/save_items', body: (code, { owner }) => ({ items_param: [tagged(code, owner)] }) },
  send_message: { path: '/rpc/send_message', body: (code) => ({ qr_id_param: code, body_param: 'hello' }) },
};

/** Functions that take a code and say the same of every code that is not the caller's. */
const SAME_FOR_OTHERS = ['detach_qr_code', 'discard_blank_codes', 'note_scan', 'read_conversation'];

async function knock({ path, body }: Door, headers: Readonly<Record<string, string>> = {}) {
  const owner = await createOwner(database);
  const caller = { owner, item: await createItem(database, owner) };
  const address = anAddress();
  const call = (given: unknown) =>
    server.call(path, { method: 'POST', body: JSON.stringify(given), headers, address, as: owner.caller });
  return {
    address,
    ask: (code: string) => call(body(code, caller)),
    askFor: (codes: readonly string[]) => call(codes.map((code) => body(code, caller))),
  };
}

const aGuess = () => `tgt-${Math.random().toString(36).slice(2, 10)}`;

test('every function with a code as its argument is a door, or says nothing of codes of others [D30]', async () => {
  const functions = await database.query<{ name: string }>(`
    select proname as name from pg_proc as function
      where pronamespace = 'public'::regnamespace
        and (has_function_privilege('anon', oid, 'execute') or has_function_privilege('authenticated', oid, 'execute'))
        and exists (select from unnest(proargnames) as argument (name)
          where name ~ '^(qr_ids?|typed_code|items)_param$')
      order by 1`);
  expect(functions.map(({ name }) => name)).toEqual(
    [...Object.keys(DOORS).filter((name) => !name.includes(' ')), ...SAME_FOR_OTHERS].sort(),
  );
});

test.each(Object.entries(DOORS))(
  '%s: after 60 codes for nothing an address learns of no further one [D30]',
  async (_, door) => {
    const { ask } = await knock(door);
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1) statuses.push((await ask(aGuess())).status);
    expect(statuses.slice(0, 60)).not.toContain(429);
    expect(await ask(aGuess())).toMatchObject(tooMany);

    // A code that can be guessed is not looked up: a hit, also one that is kept, would tell it from a miss.
    const unclaimed = aGuess();
    await issueTagCode(database, unclaimed);
    const taken = await issueTagCode(database, aGuess());
    await createItem(database, await createOwner(database), { qrId: taken });
    for (const code of [unclaimed, taken]) expect(await ask(code)).toMatchObject(tooMany);
    expect(await database.query('select owner_id from public.qr_codes where qr_id = $1', [unclaimed])).toEqual([
      { owner_id: null },
    ]);
  },
);

const claims = ['insert into items', 'attach_qr_code', 'register_qr_code', 'save_items'] as const;

test.each(claims)('%s that is rolled back counts as a miss, and after 60 reveals nothing [K14]', async (name) => {
  const door = DOORS[name];
  if (door === undefined) throw new Error('There is such a door.');
  const { ask, address } = await knock(door, ROLLBACK);
  const other = await createItem(database, await createOwner(database));
  const statuses: number[] = [];
  for (let count = 0; count < 62; count += 1) statuses.push((await ask(createTagCode())).status);
  expect(statuses.slice(0, 60)).not.toContain(429);
  expect(statuses.slice(60)).toEqual([429, 429]);
  expect((await ask(other.qrId)).status).toBe(429);
  // A claim that is kept reveals nothing to a stranger.
  const owner = await createOwner(database);
  const kept = { method: 'POST', body: JSON.stringify(tagged(createTagCode(), owner)), address, as: owner.caller };
  expect((await server.call('/items', kept)).status).toBe(201);
});

test.each([
  ['an item whose changed rows are too many', { Prefer: 'handling=strict, max-affected=0' }, []],
  ['an item beside one that cannot be', {}, ['!']],
  ['an item that is only explained', { Accept: 'application/vnd.pgrst.plan+json; options=analyze' }, []],
] as const)('%s counts as a miss, and after 60 reveals nothing [K14]', async (_, headers, more) => {
  const door = DOORS['insert into items'];
  if (door === undefined) throw new Error('There is such a door.');
  const { askFor } = await knock(door, headers);
  const statuses: number[] = [];
  for (let count = 0; count < 62; count += 1) statuses.push((await askFor([createTagCode(), ...more])).status);
  expect(statuses.slice(0, 30)).not.toContain(429);
  expect(statuses.slice(60)).toEqual([429, 429]);
});

test('each code of a list that can be guessed counts, and a failed list of a thousand new codes counts once [K14]', async () => {
  const owner = await createOwner(database);
  const save = (codes: readonly string[], address: string, headers = {}) =>
    server.call('/rpc/save_items', {
      method: 'POST',
      body: JSON.stringify({ items_param: codes.map((code) => tagged(code, owner)) }),
      headers,
      address,
      as: owner.caller,
    });
  const guesses = Array.from({ length: 61 }, aGuess);
  await Promise.all(guesses.map((guess) => issueTagCode(database, guess)));
  expect(await save(guesses, anAddress(), ROLLBACK)).toMatchObject(tooMany);

  const address = anAddress();
  const list = [...Array.from({ length: 100 }, () => createTagCode()), 'tgt-none'];
  for (let count = 0; count < 2; count += 1) expect(await save(list, address)).toMatchObject({ status: 400 });
});

test('in any requested response format, a miss is counted [D30]', async () => {
  const formats = [
    ['text/csv', ''],
    ['application/vnd.pgrst.object+json;nulls=stripped', ''],
    ['application/vnd.pgrst.array+json;nulls=stripped', '&find_item=not.is.null'],
    ['application/vnd.pgrst.object+json', '&find_item=not.is.null'],
    ['application/vnd.pgrst.plan+text; options=analyze', ''],
  ] as const;
  for (const [accept, more] of formats) {
    const address = anAddress();
    const find = () =>
      server.call(`/rpc/find_item?qr_id_param=${createTagCode()}${more}`, { address, headers: { Accept: accept } });
    for (let count = 0; count < 60; count += 1) expect((await find()).status, accept).not.toBe(429);
    expect(await find(), accept).toMatchObject({ status: 429 });
  }
});
