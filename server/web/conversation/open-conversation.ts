import type { Conversation } from '#domain/contact/conversation.ts';
import { showReturnCode } from '#domain/contact/return-code.ts';
import type { ReturnCodes } from '#server/conversations/return-codes.ts';
import type { Database } from '#server/postgres/database.ts';
import { ownCodeOfItem } from './own-code-of-item.ts';

/** A conversation, and the key in the browser that opened it. */
export interface OpenedConversation {
  readonly finderKey: string;
  readonly conversationId: string;
  readonly conversation: Conversation;
}

export type OpenConversation = ReturnType<typeof conversationOpener>;

export interface ConversationOpenerOptions {
  readonly database: Pick<Database, 'asService' | 'readAsVisitor'>;
  readonly returnCodes: Pick<ReturnCodes, 'passOf'>;
}

/** The result of the database function `read_conversation`. */
interface Found extends Pick<Conversation, 'messages' | 'progress' | 'returned'> {
  readonly conversation_id: string;
  /** Whether the code is not the item's own, from which the return code's key is derived. */
  readonly by_further_code: boolean;
  readonly return_key_hash: string | null;
}

/**
 * Returns a function that reads the conversation about the item with this code, for a browser with these keys: that of
 * the first key that opens one, read as a visitor; null without one. It contains what opens it from any browser, which
 * is valid from then on.
 */
export function conversationOpener({ database, returnCodes }: ConversationOpenerOptions) {
  const find = async (code: string, finderKey: string): Promise<Found | null> => {
    const { rows } = await database.readAsVisitor<{ found: Found | null }>({
      name: 'read_conversation_for_page',
      text: 'select public.read_conversation($1, $2) as found',
      values: [code, finderKey],
    });
    return rows[0]?.found ?? null;
  };

  return async (code: string, finderKeys: readonly string[]): Promise<OpenedConversation | null> => {
    for (const [at, finderKey] of finderKeys.entries()) {
      const found = await find(code, finderKey);
      if (found === null) continue;
      const { conversation_id: conversationId, return_key_hash, messages, progress, returned } = found;
      const ownCode = found.by_further_code ? await ownCodeOfItem(database, code) : code;
      const pass = await returnCodes.passOf({ conversationId, code: ownCode }, return_key_hash);
      // Keys of conversations that have ended are kept, because they may be blocked.
      const others = await Promise.all(finderKeys.slice(at + 1).map((other) => find(code, other)));
      const conversation: Conversation = {
        messages,
        progress,
        returned,
        return_code: showReturnCode(pass.returnCode),
        return_path: returnPath(code, pass.finderKey),
        has_others: others.some((other) => other !== null && other.conversation_id !== conversationId),
      };
      return { finderKey, conversationId, conversation };
    }
    return null;
  };
}

/** The path of a conversation's private link. */
function returnPath(code: string, finderKey: string): string {
  return `/item/${code}/back/${finderKey}`;
}
