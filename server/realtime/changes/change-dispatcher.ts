import type { ServiceLog } from '#server/log.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Change } from './change.ts';
import { changeMessage } from './change-message.ts';
import type { Channel } from './channel.ts';
import { type Decision, decideReaders } from './decide-readers.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { PublishedTables, TableDescription } from './published-tables.ts';
import type { Subscribers } from './subscribers.ts';
import type { Subscription } from './subscription.ts';

export interface TellerOptions {
  readonly database: Database;
  readonly tables: Pick<PublishedTables, 'describe'>;
  readonly subscribers: Subscribers;
  readonly log: ServiceLog;
  /** Called when changes could not be told to these channels, or to any (null): they must read again. */
  readonly onLost: (channels: Iterable<Channel> | null) => void;
}

type Group = ReadonlyMap<Subscription, Channel>;
type Outcome =
  | { readonly group: Group; readonly table: TableDescription; readonly decision: Decision }
  | { readonly lost: Group };

/** Tells committed changes to those who may see them, in the order of the commits. */
export class ChangeTeller {
  #options: TellerOptions;
  #waiting: Change[] = [];
  #waitingCharacters = 0;
  #deciding = 0;
  #told: Promise<void> = Promise.resolve();

  constructor(options: TellerOptions) {
    this.#options = options;
  }

  /** Takes the next change. Several are looked up at once, and each is told after the one before it. */
  take(change: Change): void {
    const { waitingChanges, waitingChangeCharacters } = REALTIME_LIMITS;
    if (this.#waiting.length >= waitingChanges || this.#waitingCharacters > waitingChangeCharacters) {
      this.#waiting = [];
      this.#waitingCharacters = 0;
      this.#options.log.warn(
        { table: change.table },
        'Changes come faster than they can be told; realtime clients read again.',
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
      const outcomes = this.#decideAll(change, groups).finally(() => {
        this.#deciding -= 1;
        this.#next();
      });
      this.#told = this.#told.then(async () => {
        for (const outcome of await outcomes) this.#tell(change, outcome);
      });
    }
  }

  #tell(change: Change, outcome: Outcome): void {
    if ('lost' in outcome) {
      this.#options.onLost(outcome.lost.values());
      return;
    }
    try {
      tell(change, outcome.group, outcome.table, outcome.decision);
    } catch (error) {
      // The changes after this one must go on.
      this.#options.log.error({ err: error, table: change.table }, 'A change could not be written to its readers.');
      this.#options.onLost(outcome.group.values());
    }
  }

  /** One caller after another: a change that concerns thousands must not take every connection. */
  async #decideAll(change: Change, groups: ReadonlyMap<string, Group>): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const group of groups.values()) {
      const outcome = await this.#decide(change, group);
      if (outcome !== null) outcomes.push(outcome);
    }
    return outcomes;
  }

  /** Null where the change concerns none of the group, such as one of a table that is not published. */
  async #decide(change: Change, group: Group): Promise<Outcome | null> {
    const { database, tables, log } = this.#options;
    const [channel] = group.values();
    if (channel === undefined) return null;
    try {
      const { caller } = channel;
      const table = await tables.describe(change.schema, change.table, caller.role);
      if (table === null) return null;
      return { group, table, decision: await decideReaders(database, change, table, caller, [...group.keys()]) };
    } catch (error) {
      log.warn({ err: error, table: change.table }, 'A change could not be told; its readers read again.');
      return { lost: group };
    }
  }
}

function tell(change: Change, group: Group, table: TableDescription, { passing, oldVisible }: Decision): void {
  // Subscriptions of one channel that ask for the same columns share a frame.
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
  for (const [channel, ofChannel] of frames) {
    for (const [shape, { ids, select }] of ofChannel) {
      const data = written.get(shape) ?? changeMessage(change, table, { select, oldVisible });
      written.set(shape, data);
      channel.push('postgres_changes', `{"ids":${JSON.stringify(ids)},"data":${data}}`);
    }
  }
}
