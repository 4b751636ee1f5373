import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const owner = await createOwner(database);

/** What a browser sends that opens an address for a person. */
const OPENED = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' };

/** The code of an item that nothing was printed for. */
let code: string;
beforeEach(async () => {
  code = (await createItem(database, owner)).qrId;
});

const wasScanned = async (qrId: string) => {
  const rows = await database.query<{ was_scanned: boolean }>(
    'select was_scanned from public.qr_codes where qr_id = $1',
    [qrId],
  );
  return rows[0]?.was_scanned;
};
/** A scan of another sticker is noted after all that was asked before. */
const settle = async () => {
  const { qrId } = await createItem(database, owner);
  await server.request(`/${qrId}`, { headers: OPENED });
  await vi.waitFor(async () => expect(await wasScanned(qrId)).toBe(true));
};

describe('an item needs a sticker until one is scanned', () => {
  test.each([
    ['the sticker’s own address', () => `/${code}`],
    ['the link that the app generates', () => `/?code=${code}`],
    ['an address of former stickers', () => `/qr?qr=${code}`],
  ])('a visitor opens %s', async (_, path) => {
    expect(await wasScanned(code)).toBe(false);
    await server.request(path(), { headers: OPENED });
    await vi.waitFor(async () => expect(await wasScanned(code)).toBe(true));
  });

  test('a further scan writes nothing', async () => {
    await server.request(`/${code}`, { headers: OPENED });
    await vi.waitFor(async () => expect(await wasScanned(code)).toBe(true));
    const versionOf = () => database.query('select xmin::text from public.qr_codes where qr_id = $1', [code]);
    const before = await versionOf();
    expect(await database.query('select public.note_scan($1) as first', [code])).toEqual([{ first: false }]);
    expect(await versionOf()).toEqual(before);
  });

  test.each([
    ['a preview or a crawler opens the address', () => server.request(`/${code}`)],
    ['the address is only asked about', () => server.request(`/${code}`, { method: 'HEAD', headers: OPENED })],
    [
      'a browser fetches it in advance',
      () => server.request(`/${code}`, { headers: { ...OPENED, 'Sec-Purpose': 'prefetch' } }),
    ],
    ['the page of the item is opened', () => server.request(`/item/${code}`, { headers: OPENED })],
    [
      'a browser that is signed in is sent to the app, which notes it',
      () => server.request(`/${code}`, { headers: { ...OPENED, Cookie: 'reunite_signed_in=1' } }),
    ],
  ])('not where %s [K92]', async (_, open) => {
    expect((await open()).status).toBeLessThan(400);
    await settle();
    expect(await wasScanned(code)).toBe(false);
  });

  test('the page is served where the scan cannot be noted, and the next scan is [K92]', async () => {
    const READS_ONLY = `create function public.read_only() returns trigger language plpgsql
        as $$ begin raise 'read-only' using errcode = '25006'; end $$;
      create trigger read_only before update on public.qr_codes
        for each row when (new.qr_id = '${code}') execute function public.read_only();`;
    await database.query(READS_ONLY);
    expect((await server.request(`/${code}`, { headers: OPENED })).status).toBe(200);
    await settle();
    await database.query('drop function public.read_only() cascade');
    expect(await wasScanned(code)).toBe(false);
    await server.request(`/${code}`, { headers: OPENED });
    await vi.waitFor(async () => expect(await wasScanned(code)).toBe(true));
  });
});

describe('tagging', () => {
  test('a code that the service printed has a sticker, one that was made with the item has none', async () => {
    const { client, user } = await registerOwner(server);
    const [printed, made] = [await issueTagCode(database), createTagCode()];
    for (const qr_id of [printed, made]) {
      await client
        .from('items')
        .insert({ qr_id, user_id: user.id, item_type: 'keys', item_name: 'Keys' })
        .throwOnError();
    }
    const { data } = await client
      .from('items')
      .select('qr_id, qr_codes(was_scanned, further:qr_codes(was_scanned))')
      .in('qr_id', [printed, made])
      .throwOnError();
    expect(new Map(data.map(({ qr_id, qr_codes }) => [qr_id, qr_codes]))).toEqual(
      new Map([
        [printed, { was_scanned: true, further: [] }],
        [made, { was_scanned: false, further: [] }],
      ]),
    );
  });

  test('at registration it comes from a scan', async () => {
    const qrId = createTagCode();
    await registerOwner(server, { data: { full_name: 'Dana Levi', qr_id: qrId } });
    expect(await wasScanned(qrId)).toBe(true);
  });

  test('a sticker that is attached is at hand, and without it the item needs one again', async () => {
    const { client, user } = await registerOwner(server);
    const { data: item } = await client
      .from('items')
      .insert({ qr_id: createTagCode(), user_id: user.id, item_type: 'keys', item_name: 'Keys' })
      .select('id')
      .single()
      .throwOnError();
    const further = createTagCode();
    await client.rpc('attach_qr_code', { qr_id_param: further, item_id_param: item.id }).throwOnError();
    const ofItem = async () =>
      (
        await client
          .from('items')
          .select('qr_codes(was_scanned, further:qr_codes(was_scanned))')
          .eq('id', item.id)
          .single()
          .throwOnError()
      ).data.qr_codes;
    expect(await ofItem()).toEqual({ was_scanned: false, further: [{ was_scanned: true }] });
    await client.rpc('detach_qr_code', { qr_id_param: further }).throwOnError();
    expect(await ofItem()).toEqual({ was_scanned: false, further: [] });
  });

  test('a finder’s first act comes from a scan', async () => {
    const { client, user } = await registerOwner(server);
    const blank = createTagCode();
    await client.rpc('register_qr_code', { qr_id_param: blank, user_id_param: user.id }).throwOnError();
    expect(await wasScanned(blank)).toBe(false);
    await database.query('select internal.tag_claimed_code($1)', [blank]);
    expect(await wasScanned(blank)).toBe(true);
  });
});

test('no account writes it but by a scan', async () => {
  const { client, user } = await registerOwner(server);
  const qr_id = createTagCode();
  await client.from('items').insert({ qr_id, user_id: user.id, item_type: 'keys', item_name: 'Keys' }).throwOnError();
  const { error } = await client.from('qr_codes').update({ was_scanned: true }).eq('qr_id', qr_id);
  expect(error?.code).toBe('42501');
  expect((await client.rpc('note_scan', { qr_id_param: qr_id }).throwOnError()).data).toBe(true);
  expect((await client.rpc('note_scan', { qr_id_param: qr_id }).throwOnError()).data).toBe(false);
});
