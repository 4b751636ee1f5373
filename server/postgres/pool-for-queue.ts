import { EventEmitter } from 'node:events';
import type { Pool, PoolClient } from 'pg';
import type { Notifications } from './notifications.ts';

type Listening = Pick<Notifications, 'listen'>;
type Connected = (error: undefined, client: PoolClient, done: () => void) => void;

/**
 * Returns `pool` as graphile-worker 0.18 uses it. To hear of new jobs, the queue takes a connection with a callback and
 * keeps it; everything else awaits a connection. It is given the one that already listens for this process instead,
 * which saves a connection and reconnects by itself.
 */
export function poolForQueue(pool: Pool, notifications: Listening): Pool {
  const connect = (callback?: Connected): Promise<PoolClient> | undefined => {
    if (callback === undefined) return pool.connect();
    // The queue only queries it, and listens to its events.
    callback(undefined, new QueueListener(notifications) as unknown as PoolClient, () => undefined);
    return undefined;
  };
  return Object.assign(Object.create(pool), { connect, query: pool.query.bind(pool) });
}

/** The channels of graphile-worker. */
const CHANNELS = ['jobs:insert', 'worker:migrate'] as const;

/** Takes the queue's LISTEN and UNLISTEN, and emits its notifications. */
class QueueListener extends EventEmitter {
  #notifications: Listening;
  #stops: (() => void)[] = [];

  constructor(notifications: Listening) {
    super();
    this.#notifications = notifications;
  }

  async query(text: string): Promise<void> {
    if (text.startsWith('UNLISTEN ')) {
      for (const stop of this.#stops.splice(0)) stop();
      return;
    }
    if (!text.startsWith('LISTEN ')) throw new Error(`The job queue listens with an unknown statement: ${text}`);
    for (const channel of CHANNELS) {
      const onPayload = (payload: string) => void this.emit('notification', { channel, payload });
      this.#stops.push(await this.#notifications.listen(channel, { onPayload }));
    }
  }
}
