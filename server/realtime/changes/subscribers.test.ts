import { expect, test } from 'vitest';
import { createChannel } from '#tests/support/create-channel.ts';
import type { Change } from './change.ts';
import { Subscribers } from './subscribers.ts';
import type { Subscription } from './subscription.ts';

const subscribers = new Subscribers();
let ids = 0;

/** Listens to the messages of one owner, as that owner. */
function listen(owner: string, event: Subscription['event'] = '*'): string {
  ids += 1;
  const channel = createChannel({ id: ids, topic: 'realtime:messages', userId: owner });
  const subscription: Subscription = {
    id: ids,
    event,
    schema: 'public',
    table: 'messages',
    filter: [],
    filterText: `owner_id=eq.${owner}`,
    prefilter: ({ owner_id: of }) => of === owner,
    select: null,
  };
  subscribers.add(channel, [subscription]);
  return channel.callerKey;
}

function change(more: Partial<Change>): Change {
  const row = { schema: 'public', table: 'messages', type: 'INSERT', at: '2026-01-02T03:04:05.678Z' } as const;
  return { ...row, record: { id: 1, owner_id: 'dana' }, oldRecord: null, large: false, source: '', ...more };
}

test('a change concerns only the subscribers of its table whose filter it may pass', () => {
  const [dana, noam] = [listen('dana'), listen('noam')];
  listen('dana', 'DELETE');
  const concerned = (more: Partial<Change>) => [...subscribers.callersFor(change(more)).keys()];
  expect(concerned({})).toEqual([dana]);
  expect(concerned({ record: { id: 2, owner_id: 'noam' } })).toEqual([noam]);
  expect(concerned({ record: { id: 3, owner_id: 'nobody' } })).toEqual([]);
  expect(concerned({ type: 'DELETE', record: null, oldRecord: { id: 2, owner_id: 'noam' } })).toEqual([noam]);
  expect(concerned({ table: 'items' })).toEqual([]);
  // Values are missing from a large row, so only the database can tell.
  expect(concerned({ large: true, record: { id: 4 } })).toEqual([dana, noam]);
  // Both subscriptions of one caller are one question.
  expect(subscribers.callersFor(change({ type: 'DELETE' })).get(dana)?.size).toBe(2);
});

test('a thousand tokens of one account, or of visitors, are one caller; another level of assurance is another [K50]', () => {
  const all = new Subscribers();
  const everything = (id: number): Subscription => ({
    id,
    event: '*',
    schema: 'public',
    table: 'items',
    filter: [],
    filterText: '',
    prefilter: () => true,
    select: null,
  });
  for (let id = 1; id <= 1_000; id += 1) {
    const claims = { iat: id, exp: id + 3_600, session_id: `session ${id % 100}`, amr: [{ timestamp: id }] };
    const own = { aal: 'aal1', user_metadata: { id }, email: `${id}@example.org` };
    all.add(createChannel({ id, userId: 'dana', claims: { ...claims, ...own } }), [everything(id)]);
    const unfinished = { unfinished_sign_in: { sub: `account ${id}` } };
    all.add(createChannel({ id: -id, claims: { ...claims, ...unfinished } }), [everything(-id)]);
  }
  const groups = () => [...all.callersFor(change({ table: 'items' })).values()].map(({ size }) => size);
  expect(groups()).toEqual([1_000, 1_000]);
  all.add(createChannel({ userId: 'dana', claims: { aal: 'aal2' } }), [everything(0)]);
  all.add(createChannel({ userId: 'noam', claims: { aal: 'aal1' } }), [everything(0)]);
  expect(groups()).toEqual([1_000, 1_000, 1, 1]);
});
