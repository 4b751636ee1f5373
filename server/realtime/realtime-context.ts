import type { Dependencies } from '#server/dependencies.ts';
import type { PublishedTables } from './published-tables.ts';
import type { Socket } from './socket.ts';
import type { Subscribers } from './subscribers.ts';

/** What the sockets of one server share. */
export interface RealtimeContext extends Pick<Dependencies, 'database' | 'resolveCaller' | 'log' | 'now'> {
  readonly tables: PublishedTables;
  readonly subscribers: Subscribers;
  /** An id for a subscription, different from all others of this server. */
  readonly nextId: () => number;
  readonly onClosed: (socket: Socket) => void;
}
