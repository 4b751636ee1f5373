import type { Message } from '#app/lib/messages.ts';

/** What one finder and the owner wrote to each other. */
export interface Thread {
  readonly conversationId: string;
  /** Of the item's finders, counted from the first one who wrote. All that the owner knows them by. */
  readonly number: number;
  /** Newest first. */
  readonly messages: readonly [Message, ...Message[]];
  /** Ids of the finder's messages that the owner has not seen. */
  readonly unread: readonly string[];
}

/** The messages about an item, newest first, by conversation: the one with the newest message first. */
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
