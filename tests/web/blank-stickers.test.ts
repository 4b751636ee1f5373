import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';

const database = await createTestDatabase();
const web = await startTestServer(database, { environment: { CLAIMABLE_CODES: 'issued' } });

let owner: RegisteredOwner;
beforeEach(async () => {
  owner = await registerOwner(web);
});

async function make(count: number): Promise<string[]> {
  const { data } = await owner.client.rpc('make_blank_codes', { count_param: count }).throwOnError();
  return (data as { qr_id: string }[]).map(({ qr_id }) => qr_id);
}

async function blank(): Promise<string[]> {
  const { data } = await owner.client.rpc('list_blank_codes').throwOnError();
  return (data as { qr_id: string }[]).map(({ qr_id }) => qr_id);
}

const tag = ({ client, user }: RegisteredOwner, qr_id: string) =>
  client.from('items').insert({ qr_id, user_id: user.id, item_type: 'keys', item_name: 'Keys' });

test('blank stickers can be tagged and attached by their owner alone, also where only issued codes count', async () => {
  const [first = '', second = '', third = ''] = await make(3);
  const other = await registerOwner(web);
  expect((await tag(other, first)).error?.code).toBe('23505');
  expect((await other.client.rpc('can_claim_code', { qr_id_param: first })).data).toBe(false);
  expect((await tag(owner, createTagCode())).error?.code).toBe('22023');

  expect((await tag(owner, first)).error).toBeNull();
  const { data: item } = await owner.client.from('items').select('id').eq('qr_id', first).single().throwOnError();
  await owner.client.rpc('attach_qr_code', { qr_id_param: second, item_id_param: item.id }).throwOnError();
  expect(await blank()).toEqual([third]);
});

test('a finder of a blank sticker reaches its owner, whose item it then is', async () => {
  const [code = ''] = await make(1);
  expect((await web.request(`/${code}`)).status).toBe(200);
  expect((await postForm(web, `/item/${code}/message`, { body: 'On the bench' })).status).toBe(303);
  expect((await owner.client.from('messages').select('body').throwOnError()).data).toEqual([{ body: 'On the bench' }]);
  expect(await blank()).toEqual([]);
});

test('an account has 100 blank stickers at most, also where many are made at once', async () => {
  const calls = Array.from({ length: 5 }, () => owner.client.rpc('make_blank_codes', { count_param: 30 }));
  const outcomes = (await Promise.all(calls)).map(({ error }) => error?.code ?? 'made').toSorted();
  expect(outcomes).toEqual(['PT413', 'PT413', 'made', 'made', 'made']);
  expect(await blank()).toHaveLength(90);
});

test('a request that is sent again makes nothing twice, also where another account uses its id', async () => {
  const request = { count_param: 3, request_id_param: randomUUID() };
  const send = ({ client }: RegisteredOwner) => client.rpc('make_blank_codes', request).throwOnError();
  await Promise.all(Array.from({ length: 4 }, () => send(owner)));
  const codes = await blank();
  expect(codes).toHaveLength(3);
  await tag(owner, codes[0] ?? '');
  expect((await send(owner)).data).toMatchObject(codes.slice(1).map((qr_id) => ({ qr_id })));

  expect((await send(await registerOwner(web))).data).toHaveLength(3);
  expect(await make(3)).toHaveLength(5);
});

test('a discarded sticker leads nowhere, and one that is tagged at the same time is in one place', async () => {
  const codes = await make(8);
  const discard = (qr_ids_param: string[]) => owner.client.rpc('discard_blank_codes', { qr_ids_param });
  const [gone = '', ...others] = codes;
  await discard([gone]).throwOnError();
  expect((await web.request(`/${gone}`)).status).toBe(404);
  expect((await tag(owner, gone)).error?.code).toBe('22023');
  expect(await database.query('select from public.qr_codes where qr_id = $1', [gone])).toEqual([]);

  await Promise.all(
    others.map(async (code, index) => {
      const calls = [() => tag(owner, code), () => discard([code])] as const;
      const [one, two] = index % 2 === 0 ? calls : calls.toReversed();
      await Promise.all([one?.(), two?.()]);
    }),
  );
  const { data: items } = await owner.client.from('items').select('qr_id').throwOnError();
  const { data: kept } = await owner.client.from('qr_codes').select('qr_id').throwOnError();
  // A code with an item is its owner's still, and one without an item is gone.
  expect(kept.map(({ qr_id }) => qr_id).toSorted()).toEqual(items.map(({ qr_id }) => qr_id).toSorted());
});
