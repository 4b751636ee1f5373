import type { Dependencies } from '#server/dependencies.ts';
import type { Gate } from '#server/gate.ts';
import type { HeldBytes } from '#server/held-bytes.ts';
import type { BroadcastRelay } from './broadcast-relay.ts';
import type { Presences } from './presences.ts';
import type { PublishedTables } from './published-tables.ts';
import type { Subscribers } from './subscribers.ts';
import type { Topics } from './topics.ts';

/** What the sockets of one server share. */
export interface RealtimeContext extends Pick<Dependencies, 'database' | 'resolveCaller' | 'log' | 'now'> {
  /** Different from all other servers', and from this one's before it was started. */
  readonly serverId: string;
  /** Whether anybody may talk on a channel that is not private. */
  readonly publicChannels: boolean;
  readonly topics: Topics;
  readonly relay: BroadcastRelay;
  readonly presences: Presences;
  readonly tables: PublishedTables;
  readonly subscribers: Subscribers;
  /** An id for a channel or a subscription, different from all others of this server. */
  readonly nextId: () => number;
  /** Through it goes everything that a client's frame asks of the database. */
  readonly gate: Gate;
  /** Whether an address may ask for so many joins more. */
  readonly takeJoins: (clientAddress: string, count: number) => boolean;
  /** The same for broadcasts and changes of presence. */
  readonly takeBroadcasts: (clientAddress: string, count: number) => boolean;
  /** What clients make this server keep in memory, by address. */
  readonly memory: {
    /** Unfinished messages, and those that wait for the database. */
    readonly incoming: HeldBytes;
    /** What clients have not taken yet. */
    readonly buffered: HeldBytes;
    readonly channels: HeldBytes;
  };
  /** How long a channel's token may go unchecked, in milliseconds. */
  readonly tokenCheckMs: () => number;
}
