import { expect, test } from 'vitest';
import { NO_DETAILS } from '#domain/contact/message-details.ts';
import { type Inbox, type InboxRow, withEarlier, withNewest } from './inbox.ts';

const MINUTE = (minute: number) => `2026-11-28T10:${String(minute).padStart(2, '0')}:00.000001+00:00`;

/** A conversation that was written to last in this minute. */
function row(id: string, minute: number): InboxRow {
  return {
    id,
    itemId: 'an item',
    qrId: 'tgt-code',
    itemType: 'keys',
    itemName: 'Keys',
    photo: null,
    newestAt: MINUTE(minute),
    isUnread: false,
    isWaiting: false,
    isReturned: false,
    isMuted: false,
    isBlocked: false,
    newest: { sender: 'finder', byContact: false, body: 'Found', details: NO_DETAILS, language: null },
  };
}

/** As the service returns it: with an end where there is more. */
function page(rows: readonly InboxRow[], { hasMore }: { readonly hasMore: boolean }): Inbox {
  return { rows, next: hasMore ? (rows.at(-1) ?? null) : null };
}

const ids = ({ rows }: Inbox) => rows.map(({ id }) => id);
const more = { hasMore: true };
const last = { hasMore: false };

test('a conversation that is written to comes first, and the pages that were loaded before stay', () => {
  const known = withEarlier(page([row('d', 40), row('c', 30)], more), page([row('b', 20), row('a', 10)], last));
  const updated = withNewest(known, page([row('a', 50), row('d', 40)], more));
  expect(ids(updated)).toEqual(['a', 'd', 'c', 'b']);
  expect(updated.next).toBeNull();
});

test('a conversation that was deleted among the newest is no longer listed', () => {
  const known = withEarlier(page([row('d', 40), row('c', 30)], more), page([row('b', 20), row('a', 10)], last));
  expect(ids(withNewest(known, page([row('d', 40), row('b', 20)], more)))).toEqual(['d', 'b', 'a']);
});

test('a newest page that holds all conversations is the list', () => {
  const known = page([row('b', 20), row('a', 10)], last);
  expect(ids(withNewest(known, page([row('a', 10)], last)))).toEqual(['a']);
});

test('a newest page that may leave a gap begins the list again', () => {
  const known = page([row('b', 20), row('a', 10)], more);
  const newest = page([row('d', 50), row('c', 40)], more);
  expect(withNewest(known, newest)).toBe(newest);
});

test('what was written in one moment keeps the order of the service', () => {
  const known = page([row('c', 30), row('b', 30), row('a', 30)], more);
  expect(ids(withNewest(known, page([row('d', 40), row('c', 30), row('b', 30)], more)))).toEqual(['d', 'c', 'b', 'a']);
});

test('an earlier page repeats no conversation that has moved to the top', () => {
  const known = page([row('a', 50), row('b', 20)], more);
  expect(ids(withEarlier(known, page([row('a', 10), row('z', 5)], last)))).toEqual(['a', 'b', 'z']);
});
