import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Channel } from '../channels/channel.ts';
import type { FanOut } from '../channels/fan-out.ts';
import { REALTIME_LIMITS } from '../limits.ts';
import type { Change } from './change.ts';
import { changeMessage } from './change-message.ts';
import { type Decision, decideReaders } from './decide-readers.ts';
import type { PublishedTables, TableDescription } from './published-tables.ts';
import type { Subscribers } from './subscribers.ts';
import type { Subscription } from './subscription.ts';

export interface DispatcherOptions {
  readonly database: Database;
  readonly tables: Pick<PublishedTables, 'describe'>;
  readonly subscribers: Subscribers;
  readonly log: ServiceLog;
  /** The server's one queue of deliveries. */
  readonly fanOut: FanOut<Channel>;
  /**
   * Called with the channels that missed changes, or null for all channels; their clients must read the tables again.
   */
  readonly onLost: (channels: Iterable<Channel> | null) => void;
}

type Group = ReadonlyMap<Subscription, Channel>;
type Outcome =
  | { readonly group: Group; readonly table: TableDescription; readonly decision: Decision }
  | { readonly lost: Group };

/** Delivers committed changes to the subscriptions that may see them, in commit order. */
export class ChangeDispatcher {
  #options: DispatcherOptions;
  #waiting: Change[] = [];
  #waitingCharacters = 0;
  #deciding = 0;
  #delivered: Promise<void> = Promise.resolve();

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Queues a change. Several are decided concurrently, and each is delivered after the one before it. */
  take(change: Change): void {
    const { waitingChanges, waitingChangeCharacters } = REALTIME_LIMITS;
    if (this.#waiting.length >= waitingChanges || this.#waitingCharacters > waitingChangeCharacters) {
      this.#waiting = [];
      this.#waitingCharacters = 0;
      this.#options.log.warn(
        { table: change.table },
        'Changes arrive faster than they can be delivered; realtime clients must read again.',
      );
      this.#options.onLost(null);
      return;
    }
    this.#waiting.push(change);
    this.#waitingCharacters += change.source.length;
    this.#next();
  }

  #next(): void {
    while (this.#deciding < REALTIME_LIMITS.changesAtOnce) {
      const change = this.#waiting.shift();
      if (change === undefined) return;
      this.#waitingCharacters -= change.source.length;
      const groups = this.#options.subscribers.callersFor(change);
      if (groups.size === 0) continue;
      this.#deciding += 1;
      const outcomes = this.#decideAll(change, groups);
      this.#delivered = this.#delivered.then(async () => {
        for (const outcome of await outcomes) await this.#deliver(change, outcome);
        // Only now, so that no more changes wait behind the bounds of this queue than are decided at once.
        this.#deciding -= 1;
        this.#next();
      });
    }
  }

  /** Resolves when all channels have been written to. */
  async #deliver(change: Change, outcome: Outcome): Promise<void> {
    const { fanOut, log, onLost } = this.#options;
    if ('lost' in outcome) {
      onLost(outcome.lost.values());
      return;
    }
    const { group, table, decision } = outcome;
    const pushes = pushesOf(change, group, table, decision);
    const deliver = (channel: Channel): void => {
      try {
        pushes.get(channel)?.();
      } catch (error) {
        // A failure must not stop the deliveries behind this one.
        log.error({ err: error, table: change.table }, 'A change could not be written to its subscribers.');
        onLost([channel]);
      }
    };
    await new Promise<void>((done) => {
      if (fanOut.add(pushes.keys(), deliver, done)) return;
      onLost(pushes.keys());
      done();
    });
  }

  /** Decides one caller at a time, so that a change with thousands of readers does not take every connection. */
  async #decideAll(change: Change, groups: ReadonlyMap<string, Group>): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const group of groups.values()) {
      const outcome = await this.#decide(change, group);
      if (outcome !== null) outcomes.push(outcome);
    }
    return outcomes;
  }

  /** Returns null where the change does not concern the group, for example because its table is not published. */
  async #decide(change: Change, group: Group): Promise<Outcome | null> {
    const { database, tables, log } = this.#options;
    const channel = newestOf(group.values());
    if (channel === undefined) return null;
    try {
      const { caller } = channel;
      const table = await tables.describe(change.schema, change.table, caller.role);
      if (table === null) return null;
      return { group, table, decision: await decideReaders(database, change, table, caller, [...group.keys()]) };
    } catch (error) {
      log.warn(
        { err: error, table: change.table },
        'A change could not be delivered; its subscribers must read again.',
      );
      return { lost: group };
    }
  }
}

/** Returns the channel whose token was issued last: its claims are the ones that the account has now. */
function newestOf(channels: Iterable<Channel>): Channel | undefined {
  let newest: Channel | undefined;
  for (const channel of channels) {
    if (newest === undefined || channel.issuedAt > newest.issuedAt) newest = channel;
  }
  return newest;
}

/** What writes the change to each channel. */
function pushesOf(
  change: Change,
  group: Group,
  table: TableDescription,
  { passing, oldVisible }: Decision,
): ReadonlyMap<Channel, () => void> {
  // Subscriptions of one channel with the same columns share a frame.
  const frames = new Map<Channel, Map<string, { ids: number[]; select: readonly string[] | null }>>();
  for (const subscription of passing) {
    const channel = group.get(subscription);
    if (channel === undefined || channel.closed) continue;
    const { id, select } = subscription;
    const shape = JSON.stringify(select);
    const ofChannel = frames.get(channel) ?? new Map<string, { ids: number[]; select: readonly string[] | null }>();
    frames.set(channel, ofChannel);
    const frame = ofChannel.get(shape);
    if (frame === undefined) ofChannel.set(shape, { ids: [id], select });
    else frame.ids.push(id);
  }
  const written = new Map<string, string>();
  const push = (channel: Channel): void => {
    for (const [shape, { ids, select }] of frames.get(channel) ?? []) {
      const data = written.get(shape) ?? changeMessage(change, table, { select, oldVisible });
      written.set(shape, data);
      channel.push('postgres_changes', `{"ids":${JSON.stringify(ids)},"data":${data}}`);
    }
  };
  return new Map([...frames.keys()].map((channel) => [channel, () => push(channel)]));
}
