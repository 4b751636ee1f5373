/** What the id of each conversation's part begins with. */
export const THREAD_PREFIX = 'thread-';

/** Returns the id of a conversation's part of the page. */
export function threadElementId(conversationId: string): string {
  return `${THREAD_PREFIX}${conversationId}`;
}
