import type { Channel } from '../channels/channel.ts';
import type { Change } from './change.ts';
import type { Subscription } from './subscription.ts';

/** The subscriptions of this server by table. */
export class Subscribers {
  #byTable = new Map<string, Map<Subscription, Channel>>();

  add(channel: Channel, subscriptions: readonly Subscription[]): void {
    for (const subscription of subscriptions) {
      const key = keyOf(subscription.schema, subscription.table);
      const listed = this.#byTable.get(key);
      if (listed === undefined) this.#byTable.set(key, new Map([[subscription, channel]]));
      else listed.set(subscription, channel);
    }
  }

  remove(subscriptions: readonly Subscription[]): void {
    for (const subscription of subscriptions) {
      const key = keyOf(subscription.schema, subscription.table);
      const listed = this.#byTable.get(key);
      listed?.delete(subscription);
      if (listed?.size === 0) this.#byTable.delete(key);
    }
  }

  /**
   * Returns the subscriptions that may concern a change, as far as can be decided without the database, grouped by
   * caller so that each group needs one query. Thousands of subscriptions may listen to one table, each to different
   * rows.
   */
  callersFor(change: Change): Map<string, Map<Subscription, Channel>> {
    const { schema, table, type, large } = change;
    const row = change.record ?? change.oldRecord ?? {};
    const callers = new Map<string, Map<Subscription, Channel>>();
    for (const key of [keyOf(schema, table), keyOf(schema, '*'), keyOf('*', table), keyOf('*', '*')]) {
      for (const [subscription, channel] of this.#byTable.get(key) ?? []) {
        if (subscription.event !== '*' && subscription.event !== type) continue;
        // A large row lacks some values, so the prefilter does not apply.
        if (!large && !subscription.prefilter(row)) continue;
        const group = callers.get(channel.callerKey);
        if (group === undefined) callers.set(channel.callerKey, new Map([[subscription, channel]]));
        else group.set(subscription, channel);
      }
    }
    return callers;
  }
}

function keyOf(schema: string, table: string): string {
  return JSON.stringify([schema, table]);
}
