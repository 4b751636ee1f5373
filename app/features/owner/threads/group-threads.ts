import type { Message } from '#app/data/messages.ts';

/** The conversation between a finder and the owner. */
export interface Thread {
  readonly conversationId: string;
  /**
   * The number of the finder for this item, counted from the first who wrote. The owner knows nothing else about them.
   */
  readonly number: number;
  /** Newest first. */
  readonly messages: readonly [Message, ...Message[]];
  /** Ids of the finder's unread messages, newest first. */
  readonly unread: readonly string[];
}

/** Groups an item's messages (newest first) by conversation, the one with the latest message first. */
export function groupThreads(messages: readonly Message[]): readonly Thread[] {
  const groups = new Map<string, [Message, ...Message[]]>();
  for (const message of messages) {
    const group = groups.get(message.conversationId);
    if (group === undefined) groups.set(message.conversationId, [message]);
    else group.push(message);
  }
  const byAge = new Map(messages.toReversed().map(({ conversationId }) => [conversationId, 0]));
  for (const [index, conversationId] of [...byAge.keys()].entries()) byAge.set(conversationId, index + 1);
  return [...groups].map(([conversationId, group]) => ({
    conversationId,
    number: byAge.get(conversationId) ?? 0,
    messages: group,
    unread: group.filter(({ sender, readAt }) => sender === 'finder' && readAt === null).map(({ id }) => id),
  }));
}

/** Returns the threads in the order of the ids, and those that are not among them at the end. */
export function inOrder(threads: readonly Thread[], ids: readonly string[]): readonly Thread[] {
  const byId = new Map(threads.map((thread) => [thread.conversationId, thread]));
  const known = ids.flatMap((id) => byId.get(id) ?? []);
  return [...known, ...threads.filter(({ conversationId }) => !ids.includes(conversationId))];
}
