import { isUuid } from '#server/is-uuid.ts';
import type { Database } from '#server/postgres/database.ts';
import type { RateLimits } from './rate-limits.ts';

export interface MessageLimitOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly limits: Pick<RateLimits<'send_message_per_tag_and_address' | 'send_message_per_tag'>, 'take'>;
}

interface MessageToCount {
  readonly code: string;
  readonly address: string;
  /** Null where the sender left it to the database. What is no UUID names no message. */
  readonly messageId: string | null;
}

/** In how many seconds the message may be sent; null where it may now, and then it counts. */
export type MessageLimit = (message: MessageToCount) => Promise<number | null>;

/**
 * How many messages a tag and an address may send, whichever way they come. A message that this tag has already only
 * wants its answer again, since the first one was lost on the way, and counts once.
 */
export function createMessageLimit({ database, limits }: MessageLimitOptions): MessageLimit {
  return async ({ code, address, messageId }) => {
    if (messageId !== null && isUuid(messageId) && (await isKnown(database, code, messageId))) return null;
    for (const [limit, key] of [
      ['send_message_per_tag_and_address', `${code} ${address}`],
      ['send_message_per_tag', code],
    ] as const) {
      const taken = await limits.take(limit, key);
      if (!taken.allowed) return taken.retryAfterSeconds;
    }
    return null;
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
