import type { Database } from '#server/postgres/database.ts';
import { type Broadcast, parseBroadcast, writeBroadcast } from './broadcast.ts';
import { BroadcastFrames } from './broadcast-frames.ts';
import { type Channel, TOPIC_PREFIX } from './channel.ts';
import { FanOut } from './fan-out.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { Topics } from './topics.ts';

interface Waiting {
  readonly text: string;
  readonly sent: () => void;
  readonly failed: (error: unknown) => void;
}

export interface RelayOptions {
  readonly database: Database;
  readonly topics: Topics;
  /** Called with the channels that a broadcast could not be told to. */
  readonly onLost: (channels: Iterable<Channel>) => void;
}

/**
 * Carries broadcasts over PostgreSQL's notifications to every server, this one among them, so that all of them tell
 * their clients the same in the same order.
 */
export class BroadcastRelay {
  #database: Database;
  #topics: Topics;
  #onLost: RelayOptions['onLost'];
  #fanOut = new FanOut<Channel>();
  #waiting: Waiting[] = [];
  #waitingCharacters = 0;
  #sending = false;

  constructor({ database, topics, onLost }: RelayOptions) {
    this.#database = database;
    this.#topics = topics;
    this.#onLost = onLost;
  }

  /** Resolves once the broadcast is on its way. What comes meanwhile goes together with the next one. */
  send(broadcast: Broadcast): Promise<void> {
    const text = writeBroadcast(broadcast);
    const { waitingBroadcasts, waitingBroadcastCharacters } = REALTIME_LIMITS;
    if (
      this.#fanOut.isFull ||
      this.#waiting.length >= waitingBroadcasts ||
      this.#waitingCharacters + text.length > waitingBroadcastCharacters
    ) {
      return Promise.reject(new Error('Broadcasts come faster than they can be passed on.'));
    }
    return new Promise((sent, failed) => {
      this.#waiting.push({ text, sent, failed });
      this.#waitingCharacters += text.length;
      void this.#next();
    });
  }

  /** Tells the clients of this server what a server has passed on. */
  deliver(text: string): void {
    const broadcast = parseBroadcast(text);
    if (broadcast === null) return;
    const frames = new BroadcastFrames(`${TOPIC_PREFIX}${broadcast.topic}`, broadcast);
    const members = this.#topics.membersOf(broadcast.topic, broadcast.isPrivate);
    const isTold = this.#fanOut.add(members, (channel) => {
      if (!channel.access.broadcast.read) return;
      if (channel.address === broadcast.from && !channel.hearsItself) return;
      channel.tell(frames);
    });
    if (!isTold) this.#onLost(members);
  }

  async #next(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, REALTIME_LIMITS.broadcastsAtOnce);
      for (const { text } of batch) this.#waitingCharacters -= text.length;
      try {
        await this.#database.asService({
          name: 'realtime_broadcast',
          text: `select realtime.tell('realtime_broadcast', message)
            from unnest($1::text[]) with ordinality as given (message, place) order by place`,
          values: [batch.map(({ text }) => text)],
        });
        for (const { sent } of batch) sent();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#sending = false;
  }
}
