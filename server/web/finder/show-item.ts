import type { Context } from 'hono';
import type { Conversation } from '#domain/contact/conversation.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Database } from '#server/postgres/database.ts';
import { inTime } from '#server/postgres/in-time.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import type { FinderDocuments } from './finder-documents.ts';
import type { FinderKeys } from './finder-key.ts';
import type { FoundEntry } from './item-cache.ts';
import { readConversation } from './read-conversation.ts';

/** A visitor's statement times out after a second, so a database that takes longer is hanging. */
const CONVERSATION_WITHIN_MS = 1_500;

export interface ShowItemOptions {
  readonly database: Database;
  readonly documents: FinderDocuments;
  readonly keys: FinderKeys;
}

/** Returns a function that serves the finder's page of an item, with the conversation for the holder of its key. */
export function showItem({ database, documents, keys }: ShowItemOptions) {
  return (
    c: Context<AppEnv>,
    entry: FoundEntry,
    { sent }: { readonly sent: boolean },
  ): Response | Promise<Response> => {
    const key = keys.kept(c.req.header('cookie'));
    return key === null ? documents.item(c, entry, sent) : showConversation(c, entry, sent, key);
  };

  async function showConversation(
    c: Context<AppEnv>,
    entry: FoundEntry,
    sent: boolean,
    key: string,
  ): Promise<Response> {
    const conversation = await readInTime(entry.code, key);
    return conversation === null
      ? documents.item(c, entry, sent)
      : documents.conversation(c, entry, { sent, conversation });
  }

  /** Returns undefined while the database is unavailable: the item may be known, and the script asks again. */
  async function readInTime(code: string, key: string): Promise<Conversation | null | undefined> {
    try {
      return await inTime(readConversation(database, code, key), CONVERSATION_WITHIN_MS);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return undefined;
      throw error;
    }
  }
}

export type ShowItem = ReturnType<typeof showItem>;
