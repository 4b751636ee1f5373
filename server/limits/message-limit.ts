import { isUuid } from '#server/is-uuid.ts';
import type { Database } from '#server/postgres/database.ts';
import { type Counter, type RateLimits, type TakenCounters, takeAll } from './rate-limits.ts';

type MessageLimitName = 'send_message_per_tag_and_address' | 'send_message_per_address' | 'messages_per_conversation';

export interface MessageLimitOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly limits: Pick<RateLimits<MessageLimitName>, 'take' | 'giveBack'>;
}

interface MessageToCount {
  readonly code: string;
  readonly address: string;
  /** Null where the database generates the id. Text that is not a UUID matches no message. */
  readonly messageId: string | null;
  /** The finder's key of the conversation; null for a finder without one. */
  readonly finderKey: string | null;
}

/** Whether the sender may send a message now, in which case it is counted. */
export type MessageLimit = (message: MessageToCount) => Promise<TakenCounters>;

const NOT_COUNTED: TakenCounters = { retryAfterSeconds: null, giveBack: async () => undefined };

/**
 * Limits how many messages an address may send to a tag code, and to all tag codes, through any endpoint. A retry of a
 * message that is already stored is not counted again. A finder with a reply from the owner is counted by conversation.
 *
 * No counter belongs to the tag code alone: a stranger could exhaust it and block the next finder.
 */
export function createMessageLimit({ database, limits }: MessageLimitOptions): MessageLimit {
  return async ({ code, address, messageId, finderKey }) => {
    if (messageId !== null && isUuid(messageId) && (await isKnownMessage(database, code, messageId)))
      return NOT_COUNTED;
    const withReply = finderKey === null ? null : await findWithReply(database, code, finderKey);
    const counters: readonly Counter<MessageLimitName>[] =
      withReply !== null
        ? [['messages_per_conversation', withReply]]
        : [
            // First, so that the codes that an address names create no counters once its own is used up.
            ['send_message_per_address', address],
            ['send_message_per_tag_and_address', `${code} ${address}`],
          ];
    return takeAll(limits, counters);
  };
}

/** Whether the message is stored, at an item with this code. */
export async function isKnownMessage(
  database: Pick<Database, 'asService'>,
  code: string,
  messageId: string,
): Promise<boolean> {
  const { rows } = await database.asService({
    name: 'message_of_tag_is_known',
    text: `select 1 from public.messages as message
             join public.items as item on item.id = message.item_id
             where message.id = $1 and item.qr_id = internal.own_code_of_item($2)`,
    values: [messageId, code],
  });
  return rows.length > 0;
}

/**
 * Returns the id of the conversation that the key opens, if its owner has replied: the key of the browser that wrote
 * first, or that of a return code.
 */
async function findWithReply(
  database: Pick<Database, 'asService'>,
  code: string,
  finderKey: string,
): Promise<string | null> {
  const { rows } = await database.asService<{ readonly id: string }>({
    name: 'conversation_with_reply_of_key',
    text: `select opened.id
             from public.items as item, internal.conversation_of_key(item.id, $1) as opened (id)
             where item.qr_id = internal.own_code_of_item($2) and exists (
               select from public.messages where conversation_id = opened.id and sender = 'owner'
             )`,
    values: [finderKey, code],
  });
  return rows[0]?.id ?? null;
}
