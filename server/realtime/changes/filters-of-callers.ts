import type { Channel } from '../channels/channel.ts';
import { REALTIME_LIMITS } from '../limits.ts';
import type { Subscription } from './subscription.ts';

/**
 * The different filters of each caller at each network address, which are bounded: each is a test in the statement that
 * decides a change. Equal filters of several channels are one test.
 */
export class FiltersOfCallers {
  #counts = new Map<string, Map<string, number>>();
  #held = new Map<Channel, { readonly key: string; readonly filters: readonly string[] }>();

  /** Holds the channel's filters in place of those before. Returns false, and holds none, where these are too many. */
  hold(channel: Channel, address: string, subscriptions: readonly Subscription[]): boolean {
    this.release(channel);
    const filters = [
      ...new Set(subscriptions.map(({ schema, table, filterText }) => `${schema} ${table} ${filterText}`)),
    ];
    const key = `${address} ${channel.callerKey}`;
    const counts = this.#counts.get(key) ?? new Map<string, number>();
    const added = filters.filter((filter) => !counts.has(filter)).length;
    if (added > 0 && counts.size + added > REALTIME_LIMITS.filtersPerCaller) return false;
    for (const filter of filters) counts.set(filter, (counts.get(filter) ?? 0) + 1);
    if (counts.size > 0) this.#counts.set(key, counts);
    this.#held.set(channel, { key, filters });
    return true;
  }

  release(channel: Channel): void {
    const held = this.#held.get(channel);
    if (held === undefined) return;
    this.#held.delete(channel);
    const counts = this.#counts.get(held.key);
    if (counts === undefined) return;
    for (const filter of held.filters) {
      const left = (counts.get(filter) ?? 1) - 1;
      if (left > 0) counts.set(filter, left);
      else counts.delete(filter);
    }
    if (counts.size === 0) this.#counts.delete(held.key);
  }
}
