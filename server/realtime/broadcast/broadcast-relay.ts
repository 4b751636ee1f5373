import type { Database } from '#server/postgres/database.ts';
import type { Channel } from '../channels/channel.ts';
import type { FanOut } from '../channels/fan-out.ts';
import type { Topics } from '../channels/topics.ts';
import { REALTIME_LIMITS } from '../limits.ts';
import { TOPIC_PREFIX } from '../wire/frames.ts';
import { type Broadcast, parseBroadcast, writeBroadcast } from './broadcast.ts';
import { BroadcastFrames } from './broadcast-frames.ts';

interface Waiting {
  readonly text: string;
  readonly sent: () => void;
  readonly failed: (error: unknown) => void;
}

export interface RelayOptions {
  readonly database: Database;
  readonly topics: Topics;
  /** The server's one queue of deliveries. */
  readonly fanOut: FanOut<Channel>;
  /** Called with the channels that a broadcast could not be delivered to. */
  readonly onLost: (channels: Iterable<Channel>) => void;
}

/**
 * Relays broadcasts to every server, including this one, through PostgreSQL notifications. All servers thus deliver the
 * same broadcasts in the same order.
 */
export class BroadcastRelay {
  #database: Database;
  #topics: Topics;
  #onLost: RelayOptions['onLost'];
  #fanOut: FanOut<Channel>;
  #waiting: Waiting[] = [];
  #waitingCharacters = 0;
  #sending = false;

  constructor({ database, topics, fanOut, onLost }: RelayOptions) {
    this.#database = database;
    this.#topics = topics;
    this.#fanOut = fanOut;
    this.#onLost = onLost;
  }

  /**
   * Resolves with true once PostgreSQL has accepted the broadcasts, and with false if there is no room for all of them;
   * then none is sent. Broadcasts that arrive in the meantime are sent in one batch.
   */
  async send(broadcasts: readonly Broadcast[]): Promise<boolean> {
    const texts = broadcasts.map(writeBroadcast);
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    const { waitingBroadcasts, waitingBroadcastCharacters } = REALTIME_LIMITS;
    if (
      this.#fanOut.isFull ||
      this.#waiting.length + texts.length > waitingBroadcasts ||
      this.#waitingCharacters + characters > waitingBroadcastCharacters
    ) {
      return false;
    }
    this.#waitingCharacters += characters;
    const accepted = texts.map(
      (text) => new Promise<void>((sent, failed) => void this.#waiting.push({ text, sent, failed })),
    );
    void this.#next();
    await Promise.all(accepted);
    return true;
  }

  /** Delivers a broadcast from any server to this server's clients. */
  deliver(text: string): void {
    const broadcast = parseBroadcast(text);
    if (broadcast === null) return;
    const frames = new BroadcastFrames(`${TOPIC_PREFIX}${broadcast.topic}`, broadcast);
    const members = this.#topics.membersOf(broadcast.topic, broadcast.isPrivate);
    const isDelivered = this.#fanOut.add(members, (channel) => {
      if (!channel.access.broadcast.read) return;
      if (channel.address === broadcast.from && !channel.hearsItself) return;
      channel.deliver(frames);
    });
    if (!isDelivered) this.#onLost(members);
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
