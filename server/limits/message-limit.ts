import { isUuid } from '#server/is-uuid.ts';
import type { Database } from '#server/postgres/database.ts';
import type { RateLimits } from './rate-limits.ts';

type MessageLimitName = 'send_message_per_tag_and_address' | 'send_message_per_answered_conversation';

export interface MessageLimitOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly limits: Pick<RateLimits<MessageLimitName>, 'take' | 'giveBack'>;
}

interface MessageToCount {
  readonly code: string;
  readonly address: string;
  /** Null where the sender left it to the database. What is no UUID names no message. */
  readonly messageId: string | null;
  /** What the finder keeps of the conversation; null where the finder keeps nothing. */
  readonly finderKey: string | null;
}

/** Whether the sender may send a message now. */
export interface MessageCount {
  /** In how many seconds; null where it may be now, and then it counts. */
  readonly retryAfterSeconds: number | null;
  /** Takes it out of the count: the message was refused, so there is none. */
  giveBack(): Promise<void>;
}

export type MessageLimit = (message: MessageToCount) => Promise<MessageCount>;

const NOT_COUNTED: MessageCount = { retryAfterSeconds: null, giveBack: async () => undefined };

/**
 * How many messages an address may send to a tag, whichever way they come. A message that this tag has already only
 * wants its answer again, since the first one was lost on the way, and counts once. A finder whom the owner has
 * answered is counted by the conversation. No count belongs to the tag alone: a stranger could fill it, and the next
 * finder would be refused.
 */
export function createMessageLimit({ database, limits }: MessageLimitOptions): MessageLimit {
  return async ({ code, address, messageId, finderKey }) => {
    if (messageId !== null && isUuid(messageId) && (await isKnown(database, code, messageId))) return NOT_COUNTED;
    const [limit, key] =
      finderKey !== null && (await isAnswered(database, code, finderKey))
        ? (['send_message_per_answered_conversation', finderKey] as const)
        : (['send_message_per_tag_and_address', `${code} ${address}`] as const);
    const taken = await limits.take(limit, key);
    if (!taken.allowed) return { ...NOT_COUNTED, retryAfterSeconds: taken.retryAfterSeconds };
    return { retryAfterSeconds: null, giveBack: () => limits.giveBack(limit, key) };
  };
}

async function isKnown(database: Pick<Database, 'asService'>, code: string, messageId: string): Promise<boolean> {
  const { rows } = await database.asService({
    name: 'message_of_tag_is_known',
    text: `select 1 from public.messages as message
             join public.items as item on item.id = message.item_id
             where message.id = $1 and item.qr_id = $2`,
    values: [messageId, code],
  });
  return rows.length > 0;
}

async function isAnswered(database: Pick<Database, 'asService'>, code: string, finderKey: string): Promise<boolean> {
  const { rows } = await database.asService({
    name: 'conversation_is_answered',
    text: `select 1 from public.messages as message
             join public.conversations as conversation on conversation.id = message.conversation_id
             join public.items as item on item.id = message.item_id
             where conversation.finder_key_hash = sha256(convert_to($1, 'UTF8')) and item.qr_id = $2
               and message.sender = 'owner'
             limit 1`,
    values: [finderKey, code],
  });
  return rows.length > 0;
}
