import { expect, it } from 'vitest';
import type { Message } from '#app/data/messages.ts';
import { NO_DETAILS } from '#domain/contact/message-details.ts';
import { groupThreads, inOrder } from './group-threads.ts';

function message(id: string, conversationId: string, sender: Message['sender'], readAt: string | null): Message {
  return {
    id,
    conversationId,
    itemId: 'item',
    sender,
    byContact: false,
    body: id,
    details: NO_DETAILS,
    language: null,
    photo: false,
    createdAt: `2026-11-21T10:0${id}:00Z`,
    readAt,
  };
}

it('puts each conversation together, the one that moved last first, and names what the owner has not seen', () => {
  const threads = groupThreads([
    message('5', 'first', 'finder', null),
    message('4', 'second', 'finder', null),
    message('3', 'first', 'owner', null),
    message('2', 'second', 'finder', null),
    message('1', 'first', 'finder', '2026-11-21T10:02:00Z'),
  ]);
  expect(threads.map(({ number, unread, messages }) => [number, unread, messages.map(({ id }) => id)])).toEqual([
    [1, ['5'], ['5', '3', '1']],
    [2, ['4', '2'], ['4', '2']],
  ]);
});

it('groups no messages into no threads', () => {
  expect(groupThreads([])).toEqual([]);
});

it('keeps threads in an earlier order, with new ones after them', () => {
  const threads = groupThreads([
    message('4', 'third', 'finder', null),
    message('3', 'first', 'finder', null),
    message('2', 'second', 'finder', null),
    message('1', 'first', 'finder', null),
  ]);
  const ids = inOrder(threads, ['second', 'deleted', 'first']).map(({ conversationId }) => conversationId);
  expect(ids).toEqual(['second', 'first', 'third']);
});
