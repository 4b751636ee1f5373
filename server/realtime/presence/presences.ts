import { randomUUID } from 'node:crypto';
import type { ServiceLog } from '#server/log.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Channel } from './channel.ts';
import { parseRecord } from './frames.ts';
import {
  addPresence,
  endServer,
  type Presence,
  presenceState,
  removePresence,
  showServer,
} from './presence-queries.ts';
import type { Topics } from './topics.ts';

export interface PresencesOptions {
  readonly database: Database;
  readonly topics: Topics;
  readonly log: ServiceLog;
  readonly serverId: string;
}

/**
 * Who is present on which topic. It is kept in PostgreSQL, so that all servers know of all; a trigger tells each change.
 * A server says every few seconds that it lives; who was present through one that does not is taken to have left.
 */
export class Presences {
  #options: PresencesOptions;
  #here = new Map<Channel, Presence>();
  #work = new Map<Channel, Promise<unknown>>();
  #closed = false;

  constructor(options: PresencesOptions) {
    this.#options = options;
  }

  /** Makes somebody present through the channel, or changes what they are present with; false where there is no room. */
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

  /** The channel is closed, and whoever was present through it has left. */
  leave(channel: Channel): void {
    if (this.#closed || (!this.#here.has(channel) && !this.#work.has(channel))) return;
    this.untrack(channel).catch((error: unknown) => {
      // With the server's next sign of life it is tried again.
      this.#options.log.warn({ err: error }, 'A presence could not be ended.');
    });
  }

  /** Tells the channel everybody who is present on its topic. */
  async tellState(channel: Channel): Promise<void> {
    channel.push('presence_state', await presenceState(this.#options.database, channel));
  }

  /** Tells the channels of this server a change that some server made. */
  deliver(text: string): void {
    const change = parseChange(text);
    if (change === null) return;
    const diff = JSON.stringify({
      joins: change.joined === null ? {} : { [change.key]: { metas: [change.joined] } },
      leaves: change.left === null ? {} : { [change.key]: { metas: [change.left] } },
    });
    for (const channel of this.#options.topics.membersOf(change.topic, change.isPrivate)) {
      if (channel.wantsPresence && channel.access.presence.read) channel.push('presence_diff', diff);
    }
  }

  /** Says that this server lives, and ends the presences of those that do not. Called every few seconds. */
  async showLife(): Promise<void> {
    for (const channel of this.#here.keys()) if (channel.closed) this.leave(channel);
    const watches = [...this.#options.topics.all()].some(({ wantsPresence }) => wantsPresence);
    if (this.#here.size === 0 && !watches) return;
    const { database, serverId } = this.#options;
    const isKnown = await showServer(database, serverId);
    // Another server took it for dead, or PostgreSQL crashed and lost what it does not log.
    if (!isKnown && this.#here.size > 0) await this.recover();
  }

  /** After a gap: everybody who is here is made present again, and every client is told the whole state. */
  async recover(): Promise<void> {
    const { database, serverId, topics } = this.#options;
    for (const [channel, presence] of this.#here) {
      if (channel.closed) continue;
      await this.#inOrder(channel, () => addPresence(database, serverId, presence, { returning: true }));
    }
    for (const channel of [...topics.all()]) {
      if (channel.wantsPresence && channel.access.presence.read) await this.tellState(channel);
    }
  }

  /** Everybody who is present through this server has left. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#work.values());
    if (this.#here.size > 0) await endServer(this.#options.database, this.#options.serverId);
  }

  /** One thing after another for each channel, so that an end never overtakes its beginning. */
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
