import { expect, test } from 'vitest';
import { FINDER_PHRASES, OWNER_PHRASES } from '#domain/contact/phrases.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

const MOMENT = { moment: '2026-11-30T17:00:00+02:00', time_zone: 'Asia/Jerusalem' };
const STORED_MOMENT = { moment: '2026-11-30T15:00:00+00:00', time_zone: 'Asia/Jerusalem' };
const PLACE = { place: 'Gate 4' };
const AMOUNT = { amount: 12.5, currency: 'EUR' };
const DESK = { desk: 'police' };

type Fields = Readonly<Record<string, unknown>>;
const parameters = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${name}_param`, value]));

/** A conversation with both of its sides. */
async function begin() {
  const owner = await registerOwner(server, {});
  const item = await createItem(database, owner.user);
  const finder = server.client();
  const key = `key-of-a-finder-${crypto.randomUUID()}`;
  const asFinder = (fields: Fields) =>
    finder.rpc('send_message', {
      qr_id_param: item.qrId,
      finder_key_param: key,
      body_param: '',
      ...parameters(fields),
    });
  expect((await asFinder({ kind: 'have_it' })).error).toBeNull();
  const { data } = await owner.client.from('conversations').select('id').eq('item_id', item.id).single();
  const id = (data as { id: string } | null)?.id;
  const asOwner = (fields: Fields) =>
    owner.client.rpc('send_reply', { conversation_id_param: id, body_param: '', ...parameters(fields) });
  // From now on the finder may write as often as the owner.
  expect((await asOwner({ kind: 'where' })).error).toBeNull();
  return {
    asFinder,
    asOwner,
    /** The newest message as both read it: by a table, and by the finder's key. */
    async newest() {
      const { data: rows } = await owner.client
        .from('messages')
        .select('sender, body, kind, place, moment, time_zone, desk, amount, currency, language')
        .eq('item_id', item.id)
        .order('created_at', { ascending: false })
        .limit(1);
      const { data: read } = await finder.rpc('read_conversation', { qr_id_param: item.qrId, finder_key_param: key });
      return { asOwner: rows?.[0], asFinder: (read as { messages: unknown[] }).messages.at(-1) };
    },
  };
}

const fieldsOf: Readonly<Record<string, Fields>> = {
  can_bring: { ...PLACE, ...MOMENT },
  here_until: MOMENT,
  handed_in: { ...DESK, ...PLACE },
  can_come: { ...PLACE, ...MOMENT },
  please_leave: PLACE,
  please_post: AMOUNT,
};

const conversation = await begin();

test.each([
  ...FINDER_PHRASES.map((kind) => ['finder', kind] as const),
  ...OWNER_PHRASES.map((kind) => ['owner', kind] as const),
])('what the %s says as %s is stored with its fields and no word, and both sides read it', async (sender, kind) => {
  const fields = { kind, language: 'he', ...fieldsOf[kind] };
  const { data, error } = await (sender === 'finder' ? conversation.asFinder : conversation.asOwner)(fields);
  expect(error).toBeNull();
  expect(data).toMatchObject({ message_id: expect.any(String) });
  const stored = {
    ...{ sender, body: '', place: null, moment: null, time_zone: null, desk: null, amount: null, currency: null },
    ...fields,
    ...('moment' in fields && STORED_MOMENT),
  };
  const { asOwner, asFinder } = await conversation.newest();
  expect(asOwner).toEqual(stored);
  expect(asFinder).toMatchObject(stored);
});

test.each(['can_bring', 'can_come', 'please_post'])('%s needs none of its fields', async (kind) => {
  const say = kind === 'can_bring' ? conversation.asFinder : conversation.asOwner;
  expect((await say({ kind })).error).toBeNull();
});

test('a phrase that is sent again is the same message; with other fields it is refused', async () => {
  const messageId = crypto.randomUUID();
  const phrase = { kind: 'can_come', message_id: messageId, ...MOMENT };
  const first = await conversation.asOwner(phrase);
  expect(first.error).toBeNull();
  expect((await conversation.asOwner(phrase)).data).toEqual(first.data);
  expect((await conversation.asOwner({ ...phrase, moment: '2026-12-01T17:00:00Z' })).error?.code).toBe('23505');
});

const refusals: readonly (readonly ['finder' | 'owner', string, Fields])[] = [
  ...OWNER_PHRASES.filter((kind) => kind !== 'thanks').map(
    (kind) => ['finder', `what owners say: ${kind}`, { kind, ...(kind === 'please_leave' && PLACE) }] as const,
  ),
  ...[...FINDER_PHRASES.filter((kind) => kind !== 'thanks'), 'have_it', 'photo', 'none_of_ours'].map(
    (kind) => ['owner', `what finders say: ${kind}`, { kind, ...(kind === 'here_until' && MOMENT) }] as const,
  ),
  ['finder', 'no time', { kind: 'here_until' }],
  ['finder', 'a time without a zone', { kind: 'can_bring', moment: MOMENT.moment }],
  ['finder', 'a zone without a time', { kind: 'can_bring', time_zone: 'UTC' }],
  ['finder', 'a time of a phrase that has none', { kind: 'yes', ...MOMENT }],
  ['finder', 'a zone that does not exist', { kind: 'can_bring', ...MOMENT, time_zone: 'Mars/Olympus' }],
  ['finder', 'a hostile zone', { kind: 'can_bring', ...MOMENT, time_zone: "UTC'; drop table public.messages; --" }],
  ['finder', 'a zone of 10,000 characters', { kind: 'can_bring', ...MOMENT, time_zone: 'A'.repeat(10_000) }],
  ['finder', 'a time that no calendar shows', { kind: 'can_bring', ...MOMENT, moment: 'infinity' }],
  ['finder', 'a time beyond all calendars', { kind: 'can_bring', ...MOMENT, moment: '290000-01-01T00:00:00Z' }],
  ['finder', 'what is no time', { kind: 'can_bring', ...MOMENT, moment: 'tomorrow at noon, or so' }],
  ['finder', 'no desk', { kind: 'handed_in' }],
  ['finder', 'no desk of ours', { kind: 'handed_in', desk: 'bakery' }],
  ['finder', 'a desk of a phrase that has none', { kind: 'yes', ...DESK }],
  ['finder', 'a place that is too long', { kind: 'can_bring', place: 'x'.repeat(101) }],
  ['finder', 'a language that is none', { kind: 'yes', language: '<script>' }],
  ['owner', 'no place', { kind: 'please_leave' }],
  ['owner', 'a place of blanks', { kind: 'please_leave', place: ' \n ' }],
  ['owner', 'a place that is too long', { kind: 'please_leave', place: '😀'.repeat(101) }],
  ['owner', 'a place of a phrase that has none', { kind: 'where', ...PLACE }],
  ['owner', 'an amount without a currency', { kind: 'please_post', amount: 5 }],
  ['owner', 'a currency without an amount', { kind: 'please_post', currency: 'EUR' }],
  ['owner', 'nothing', { kind: 'please_post', amount: 0, currency: 'EUR' }],
  ['owner', 'less than nothing', { kind: 'please_post', amount: -5, currency: 'EUR' }],
  ['owner', 'more than anything costs', { kind: 'please_post', amount: 1e9, currency: 'EUR' }],
  ['owner', 'no number', { kind: 'please_post', amount: 'NaN', currency: 'EUR' }],
  ['owner', 'no currency', { kind: 'please_post', amount: 5, currency: 'euro' }],
  ['owner', 'an amount of a phrase that has none', { kind: 'where', ...AMOUNT }],
  ['owner', 'a hostile zone', { kind: 'can_come', ...MOMENT, time_zone: '../../etc/passwd' }],
  ['owner', 'no text and no phrase', { kind: 'text' }],
];

test.each(refusals)('of the %s is refused, and nothing is stored: %s', async (sender, _, fields) => {
  const before = await conversation.newest();
  const { error, status } = await (sender === 'finder' ? conversation.asFinder : conversation.asOwner)(fields);
  expect(error?.code).toMatch(/^(?:22\d{3}|23514)$/);
  expect(status).toBe(400);
  expect(await conversation.newest()).toEqual(before);
});
