import type { Context } from 'hono';
import type { Conversation } from '#domain/contact/conversation.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { inTime } from '#server/postgres/in-time.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import type { FinderKeys } from '../conversation/finder-key.ts';
import type { LookAtConversation } from '../conversation/look-at-conversation.ts';
import type { WasMoved } from '../conversation/was-moved.ts';
import type { FinderDocuments } from './finder-documents.ts';
import type { FoundEntry } from './item-cache.ts';

/** A visitor's statement times out after a second, so a database that takes longer is hanging. */
const CONVERSATION_WITHIN_MS = 1_500;

export interface ShowItemOptions {
  readonly documents: FinderDocuments;
  readonly keys: FinderKeys;
  readonly lookAtConversation: LookAtConversation;
  readonly wasMoved: WasMoved;
}

interface Read {
  readonly conversation: Conversation | null | undefined;
  /** Whether it ended because the item has a new owner. */
  readonly moved: boolean;
}

export interface ShownItem {
  /** Whether the page confirms that a message has arrived. */
  readonly sent: boolean;
  /** What is wrong with the message, such as that its photo was left out. */
  readonly messageProblem?: string | undefined;
}

/** Returns a function that serves the finder's page of an item, with the conversation for the holder of its key. */
export function showItem({ documents, keys, lookAtConversation, wasMoved }: ShowItemOptions) {
  return (c: Context<AppEnv>, entry: FoundEntry, shown: ShownItem): Response | Promise<Response> => {
    const kept = keys.kept(c.req.header('cookie'));
    return kept.length === 0 && shown.messageProblem === undefined
      ? documents.item(c, entry, shown.sent)
      : showConversation(c, entry, shown, kept);
  };

  async function showConversation(
    c: Context<AppEnv>,
    entry: FoundEntry,
    shown: ShownItem,
    kept: readonly string[],
  ): Promise<Response> {
    const { conversation, moved } = await readInTime(entry.code, kept);
    return conversation === null && !moved && shown.messageProblem === undefined
      ? documents.item(c, entry, shown.sent)
      : documents.conversation(c, entry, { ...shown, conversation, moved });
  }

  /** The conversation is undefined while the database is unavailable: the item may be known, and the script asks again. */
  async function readInTime(code: string, kept: readonly string[]): Promise<Read> {
    const read = async (): Promise<Read> => {
      const opened = await lookAtConversation(code, kept);
      if (opened !== null) return { conversation: opened.conversation, moved: false };
      return { conversation: null, moved: await wasMoved(code, kept) };
    };
    try {
      return await inTime(read(), CONVERSATION_WITHIN_MS);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return { conversation: undefined, moved: false };
      throw error;
    }
  }
}

export type ShowItem = ReturnType<typeof showItem>;
