import { describe, expect, test } from 'vitest';
import { actAs } from '#tests/support/act-as.ts';
import { beginUntilLocked } from '#tests/support/begin-until-locked.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database, { fullName: 'Dana Levi' });
const ownerClient = web.client({ token: await web.token(owner.caller.claims) });

test.each([
  ['message', { body: 'Is this yours?' }],
  ['contact', { channel: 'call' }],
])(
  '%s about an item that was deleted while its page was open: the page’s script gets the text',
  async (way, fields) => {
    const item = await createItem(database, owner);
    expect((await web.request(`/item/${item.qrId}`)).status).toBe(200);
    await database.query('delete from public.items where id = $1', [item.id]);
    const script = { headers: { Accept: 'application/json' } };
    await expect.poll(async () => (await postForm(web, `/item/${item.qrId}/${way}`, fields, script)).status).toBe(404);
    const response = await postForm(web, `/item/${item.qrId}/${way}`, fields, script);
    expect(await response.json()).toEqual({ problem: 'No item is tagged with this code.' });
  },
);

// What a finder or an owner does while the owner deletes the item or the conversation on another screen: the delete is
// under way when the request comes, and is committed as soon as the request waits for it.

interface Found {
  readonly item: TestItem;
  readonly conversationId: string;
  /** Of the finder's browser. */
  readonly cookie: string;
  readonly returnCode: string;
}

interface Outcome {
  readonly status: number;
  readonly error?: { readonly code: string } | null;
}

/** An item about which a finder has written. */
async function found(): Promise<Found> {
  const item = await createItem(database, owner);
  const sent = await postForm(web, `/item/${item.qrId}/message`, { body: 'I found it' });
  const cookie = sent.headers.get('set-cookie')?.split(';')[0] ?? '';
  const read = await web.request(`/item/${item.qrId}/conversation`, { headers: { Cookie: cookie } });
  const { return_code } = (await read.json()) as { readonly return_code: string };
  // A notice that is being sent looks at the same rows.
  await expect.poll(() => jobsAtHand(database)).toEqual([]);
  const [conversation] = await database.query<{ id: string }>(
    'select id from public.conversations where item_id = $1',
    [item.id],
  );
  return { item, conversationId: conversation?.id ?? '', cookie, returnCode: return_code };
}

type Action = (found: Found) => PromiseLike<Outcome>;

const post =
  (path: string, fields: Readonly<Record<string, string>>): Action =>
  ({ item, cookie }) =>
    postForm(web, `/item/${item.qrId}${path}`, fields, { headers: { Cookie: cookie } });

const look =
  (path: string): Action =>
  ({ item, cookie }) =>
    web.request(`/item/${item.qrId}${path}`, { headers: { Cookie: cookie } });

const ACTIONS: Readonly<Record<string, Action>> = {
  'a look at the page': look(''),
  'a look for replies': look('/conversation'),
  'a further message': post('/message', { body: 'Hello?' }),
  'a contact method': post('/contact', { channel: 'email' }),
  'an email address for replies': post('/email', { email: 'finder@example.net' }),
  'a report of the page': post('/report', { kind: 'abuse', body: 'Not mine' }),
  'a return code': ({ item, returnCode }) => postForm(web, `/item/${item.qrId}/back`, { return_code: returnCode }),
  'a message by another program': ({ item }) =>
    web.client().rpc('send_message', {
      qr_id_param: item.qrId,
      body_param: 'By another program',
      finder_key_param: `the key for ${item.qrId}`,
    }),
  'the list of return codes': ({ item }) => ownerClient.rpc('list_return_codes', { item_id_param: item.id }),
  'a reply': ({ conversationId }) =>
    ownerClient.rpc('send_reply', { conversation_id_param: conversationId, body_param: 'Thank you' }),
  'a report of the finder': ({ conversationId }) =>
    ownerClient.rpc('report_finder', { conversation_id_param: conversationId, kind_param: 'abuse' }),
  'the return of the item': ({ item, conversationId }) =>
    ownerClient.rpc('take_back_item', { item_id_param: item.id, conversation_id_param: conversationId }),
  'an offer of the item': ({ item }) =>
    ownerClient.rpc('offer_item', { item_id_param: item.id, email_param: 'other@example.net' }),
  'a further sticker': async ({ item }) => {
    const qr_id_param = createTagCode();
    await ownerClient.rpc('register_qr_code', { qr_id_param, user_id_param: owner.id }).throwOnError();
    return ownerClient.rpc('attach_qr_code', { qr_id_param, item_id_param: item.id });
  },
  'a second delete of the conversation': ({ conversationId }) =>
    ownerClient.from('conversations').delete().eq('id', conversationId),
  'a second delete of the item': ({ item }) => ownerClient.from('items').delete().eq('id', item.id),
};

/** What a caller cannot know about, and cannot change. */
const FOREIGN_KEY_VIOLATION = '23503';

const DELETES = {
  item: 'delete from public.items where id = $1',
  conversation: 'delete from public.conversations where item_id = $1',
} as const;

/** Begins the action in the middle of the delete. */
async function during(deletes: keyof typeof DELETES, act: Action): Promise<Outcome> {
  const situation = await found();
  const { outcome } = await actAs(database, owner.caller, async (other) => {
    await other.query(DELETES[deletes], [situation.item.id]);
    return beginUntilLocked(database, () => act(situation));
  });
  return outcome;
}

describe.each(Object.keys(DELETES) as (keyof typeof DELETES)[])('while the %s is deleted', (deletes) => {
  test.each(Object.keys(ACTIONS))('%s: the response is no failure of the service', (name) =>
    // The service waits for the delete for a second.
    inSomeAttempt(async () => {
      const { status, error } = await during(deletes, ACTIONS[name] ?? look(''));
      expect(status).toBeLessThan(500);
      expect(error?.code).not.toBe(FOREIGN_KEY_VIOLATION);
    }),
  );
});
