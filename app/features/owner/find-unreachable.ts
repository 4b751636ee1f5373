import type { Item } from '#app/lib/items.ts';
import { contactState, type OpenChannels, openChannels } from '#domain/found-item.ts';

/** The items about which no finder can reach their owner, because every way is closed. */
export function findUnreachable(items: readonly Item[], account: OpenChannels): readonly Item[] {
  return items.filter(({ channels }) => contactState(openChannels(channels, account)) === 'none');
}
