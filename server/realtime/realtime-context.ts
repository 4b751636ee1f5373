import type { Dependencies } from '#server/dependencies.ts';
import type { Gate } from './gate.ts';
import type { PublishedTables } from './published-tables.ts';
import type { Socket } from './socket.ts';
import type { Subscribers } from './subscribers.ts';

/** What the sockets of one server share. */
export interface RealtimeContext extends Pick<Dependencies, 'database' | 'resolveCaller' | 'log' | 'now'> {
  readonly tables: PublishedTables;
  readonly subscribers: Subscribers;
  /** An id for a subscription, different from all others of this server. */
  readonly nextId: () => number;
  /** Through it goes everything that a client's frame asks of the database. */
  readonly gate: Gate;
  /** Whether an address may ask for so many joins more. */
  readonly takeJoins: (clientAddress: string, count: number) => boolean;
  readonly onClosed: (socket: Socket) => void;
}
