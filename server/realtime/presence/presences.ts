import { randomUUID } from 'node:crypto';
import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Channel } from '../channels/channel.ts';
import type { FanOut } from '../channels/fan-out.ts';
import type { Topics } from '../channels/topics.ts';
import { parseRecord } from '../wire/frames.ts';
import {
  addPresence,
  endServer,
  type Presence,
  presenceState,
  removePresence,
  showServer,
} from './presence-queries.ts';

export interface PresencesOptions {
  readonly database: Database;
  readonly topics: Topics;
  /** The server's one queue of deliveries. */
  readonly fanOut: FanOut<Channel>;
  /** Called with the channels that missed a change of presence; their clients must join again. */
  readonly onLost: (channels: Iterable<Channel>) => void;
  readonly log: ServiceLog;
  readonly serverId: string;
}

/**
 * The presences of this server's clients. They are stored in PostgreSQL, so that all servers share them; a trigger
 * announces each change.
 *
 * Each server writes a heartbeat every few seconds. The presences of a server without one are deleted.
 */
export class Presences {
  #options: PresencesOptions;
  #here = new Map<Channel, Presence>();
  #work = new Map<Channel, Promise<unknown>>();
  #closed = false;

  constructor(options: PresencesOptions) {
    this.#options = options;
  }

  /** Tracks a presence for the channel, or replaces its state. Returns false where the topic has no room. */
  track(channel: Channel, payloadJson: string): Promise<boolean> {
    const presence: Presence = {
      channelId: channel.id,
      topic: channel.name,
      isPrivate: channel.isPrivate,
      key: channel.presenceKey,
      ref: randomUUID(),
      payloadJson,
    };
    return this.#inOrder(channel, async () => {
      if (channel.closed) return true;
      const { database, serverId } = this.#options;
      const taken = await addPresence(database, serverId, presence, { returning: false });
      if (taken) this.#here.set(channel, presence);
      return taken;
    });
  }

  untrack(channel: Channel): Promise<void> {
    return this.#inOrder(channel, async () => {
      if (!this.#here.has(channel)) return;
      await removePresence(this.#options.database, this.#options.serverId, channel.id);
      this.#here.delete(channel);
    });
  }

  /** Ends the presence of a closed channel. */
  leave(channel: Channel): void {
    if (this.#closed || (!this.#here.has(channel) && !this.#work.has(channel))) return;
    this.untrack(channel).catch((error: unknown) => {
      // It is retried with the next heartbeat.
      this.#options.log.warn({ err: error }, 'A presence could not be ended.');
    });
  }

  /** Sends the state of its topic to the channel. */
  async sendState(channel: Channel): Promise<void> {
    channel.push('presence_state', await presenceState(this.#options.database, channel));
  }

  /** Delivers a presence change from any server to this server's channels. */
  deliver(text: string): void {
    const change = parseChange(text);
    if (change === null) return;
    const diff = JSON.stringify({
      joins: change.joined === null ? {} : { [change.key]: { metas: [change.joined] } },
      leaves: change.left === null ? {} : { [change.key]: { metas: [change.left] } },
    });
    const { topics, fanOut, onLost } = this.#options;
    const watching = [...topics.membersOf(change.topic, change.isPrivate)].filter(
      ({ wantsPresence, access }) => wantsPresence && access.presence.read,
    );
    if (!fanOut.add(watching, (channel) => channel.push('presence_diff', diff))) onLost(watching);
  }

  /** Writes the heartbeat and deletes the presences of dead servers. Called every few seconds. */
  async showLife(): Promise<void> {
    for (const channel of this.#here.keys()) if (channel.closed) this.leave(channel);
    const watches = [...this.#options.topics.all()].some(({ wantsPresence }) => wantsPresence);
    if (this.#here.size === 0 && !watches) return;
    const { database, serverId } = this.#options;
    const isKnown = await showServer(database, serverId);
    // Another server considered this one dead, or PostgreSQL crashed and lost its unlogged tables.
    if (!isKnown && this.#here.size > 0) await this.recover();
  }

  /** Restores all presences of this server after a gap and sends every client the whole state. */
  async recover(): Promise<void> {
    const { database, serverId, topics } = this.#options;
    for (const [channel, presence] of this.#here) {
      if (channel.closed) continue;
      await this.#inOrder(channel, () => addPresence(database, serverId, presence, { returning: true }));
    }
    for (const channel of [...topics.all()]) {
      if (channel.wantsPresence && channel.access.presence.read) await this.sendState(channel);
    }
  }

  /** Ends all presences of this server. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#work.values());
    if (this.#here.size > 0) await endServer(this.#options.database, this.#options.serverId);
  }

  /** Runs the work of a channel in sequence, so that an end never overtakes its beginning. */
  #inOrder<Result>(channel: Channel, work: () => Promise<Result>): Promise<Result> {
    const before: Promise<unknown> = this.#work.get(channel) ?? Promise.resolve();
    const done = before.catch(() => undefined).then(work);
    this.#work.set(channel, done);
    const forget = () => {
      if (this.#work.get(channel) === done) this.#work.delete(channel);
    };
    done.then(forget, forget);
    return done;
  }
}

interface PresenceChange {
  readonly topic: string;
  readonly isPrivate: boolean;
  readonly key: string;
  readonly joined: unknown;
  readonly left: unknown;
}

function parseChange(text: string): PresenceChange | null {
  const parsed = parseRecord(text);
  if (parsed === null || typeof parsed.topic !== 'string' || typeof parsed.key !== 'string') return null;
  const { topic, key, joined = null, left = null } = parsed;
  return { topic, isPrivate: parsed.private === true, key, joined, left };
}
