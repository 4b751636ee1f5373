import type { Dependencies } from '#server/dependencies.ts';
import type { HeldBytes } from '#server/limits/memory/held-bytes.ts';
import type { BroadcastRelay } from './broadcast/broadcast-relay.ts';
import type { FiltersOfCallers } from './changes/filters-of-callers.ts';
import type { PublishedTables } from './changes/published-tables.ts';
import type { Subscribers } from './changes/subscribers.ts';
import type { Topics } from './channels/topics.ts';
import type { Presences } from './presence/presences.ts';

/** What the sockets of one server share. */
export interface RealtimeContext extends Pick<Dependencies, 'database' | 'resolveCaller' | 'log' | 'now'> {
  /** Unique among servers and across restarts. */
  readonly serverId: string;
  /** Whether clients may broadcast on public channels. */
  readonly publicChannels: boolean;
  readonly topics: Topics;
  readonly relay: BroadcastRelay;
  readonly presences: Presences;
  readonly tables: PublishedTables;
  readonly subscribers: Subscribers;
  readonly filters: FiltersOfCallers;
  /** Returns an id for a channel or subscription, unique on this server. */
  readonly nextId: () => number;
  /**
   * Runs database work for client frames, of which only some runs at once, and of one holder a share: an account, an
   * address of visitors, or the secret key. What no client can make slow has none.
   */
  readonly inTurn: <Result>(holder: string | null, work: () => Promise<Result>) => Promise<Result>;
  /** Whether an address may join `count` more times. */
  readonly takeJoins: (clientAddress: string, count: number) => boolean;
  /** The same for broadcasts and presence changes. */
  readonly takeBroadcasts: (clientAddress: string, count: number) => boolean;
  /** Memory held on behalf of clients, by address. */
  readonly memory: {
    /** Incomplete messages, and messages that wait for the database. */
    readonly incoming: HeldBytes;
    /** Outgoing bytes that clients have not read. */
    readonly buffered: HeldBytes;
    readonly channels: HeldBytes;
  };
  /** How long a channel's token may go unchecked, in milliseconds. */
  readonly tokenCheckMs: () => number;
}
