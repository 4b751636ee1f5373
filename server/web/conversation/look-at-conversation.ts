import type { FinderAddresses } from '#server/conversations/finder-addresses.ts';
import type { OpenConversation, OpenedConversation } from './open-conversation.ts';

export type LookAtConversation = ReturnType<typeof conversationViewer>;

export interface ConversationViewerOptions {
  readonly openConversation: OpenConversation;
  readonly addresses: Pick<FinderAddresses, 'noteLook'>;
}

/**
 * Returns a function that opens a conversation to show it to its finder. A finder who left an email address is told of the
 * next reply again.
 */
export function conversationViewer({ openConversation, addresses }: ConversationViewerOptions) {
  return async (code: string, finderKeys: readonly string[]): Promise<OpenedConversation | null> => {
    const opened = await openConversation(code, finderKeys);
    if (opened !== null) {
      const shown = opened.conversation.messages.map(({ id }) => id);
      await addresses.noteLook(opened.conversationId, shown);
    }
    return opened;
  };
}
