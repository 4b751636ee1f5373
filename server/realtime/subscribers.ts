import type { Change } from './change.ts';
import type { Channel } from './channel.ts';
import type { Subscription } from './subscription.ts';

/** Who listens to what, on this server. */
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

  /** The subscriptions that the kind and the table of a change concern, grouped by caller: one question for each. */
  callersFor({
    schema,
    table,
    type,
  }: Pick<Change, 'schema' | 'table' | 'type'>): Map<string, Map<Subscription, Channel>> {
    const callers = new Map<string, Map<Subscription, Channel>>();
    for (const key of [keyOf(schema, table), keyOf(schema, '*'), keyOf('*', table), keyOf('*', '*')]) {
      for (const [subscription, channel] of this.#byTable.get(key) ?? []) {
        if (subscription.event !== '*' && subscription.event !== type) continue;
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
