import type { Context } from 'hono';
import type { Conversation } from '#domain/contact/conversation.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { inTime } from '#server/postgres/in-time.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import type { FinderKeys } from '../conversation/finder-key.ts';
import type { LookAtConversation } from '../conversation/look-at-conversation.ts';
import type { FinderDocuments } from './finder-documents.ts';
import type { FoundEntry } from './item-cache.ts';

/** A visitor's statement times out after a second, so a database that takes longer is hanging. */
const CONVERSATION_WITHIN_MS = 1_500;

export interface ShowItemOptions {
  readonly documents: FinderDocuments;
  readonly keys: FinderKeys;
  readonly lookAtConversation: LookAtConversation;
}

export interface ShownItem {
  /** Whether the page confirms that a message has arrived. */
  readonly sent: boolean;
  /** What is wrong with the message, such as that its photo was left out. */
  readonly messageProblem?: string | undefined;
}

/** Returns a function that serves the finder's page of an item, with the conversation for the holder of its key. */
export function showItem({ documents, keys, lookAtConversation }: ShowItemOptions) {
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
    const conversation = await readInTime(entry.code, kept);
    return conversation === null && shown.messageProblem === undefined
      ? documents.item(c, entry, shown.sent)
      : documents.conversation(c, entry, { ...shown, conversation });
  }

  /** Returns undefined while the database is unavailable: the item may be known, and the script asks again. */
  async function readInTime(code: string, kept: readonly string[]): Promise<Conversation | null | undefined> {
    try {
      const opened = await inTime(lookAtConversation(code, kept), CONVERSATION_WITHIN_MS);
      return opened?.conversation ?? null;
    } catch (error) {
      if (isDatabaseUnavailable(error)) return undefined;
      throw error;
    }
  }
}

export type ShowItem = ReturnType<typeof showItem>;
