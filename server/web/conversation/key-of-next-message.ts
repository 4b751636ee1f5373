import type { Database } from '#server/postgres/database.ts';
import type { OpenConversation } from './open-conversation.ts';

export interface NextMessageOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly openConversation: OpenConversation;
}

/**
 * Returns a function that chooses the key with which a browser writes about the item with a code: that of the conversation
 * that its page shows, else the proposed new one. No key of a conversation that has ended begins another: whoever owned the item
 * then knows the return code that the key may stand for. A browser with a key that the owner blocked keeps it, and is
 * refused.
 */
export function nextMessageKeys({ database, openConversation }: NextMessageOptions) {
  const blockedKey = async (code: string, kept: readonly string[]): Promise<string | undefined> => {
    const { rows } = await database.asService<{ key: string }>({
      name: 'blocked_key_of_browser',
      text: `select kept.key from unnest($2::text[]) as kept (key)
               join public.items as item on item.qr_id = internal.own_code_of_item($1)
               join internal.blocked_keys as blocked
                 on blocked.owner_id = item.user_id and blocked.key_hash = sha256(convert_to(kept.key, 'UTF8'))
               limit 1`,
      values: [code, kept],
    });
    return rows[0]?.key;
  };

  return async (code: string, kept: readonly string[], proposed: string): Promise<string> => {
    if (kept.length === 0) return proposed;
    const shown = await openConversation(code, kept);
    return shown?.finderKey ?? (await blockedKey(code, kept)) ?? proposed;
  };
}
