import { randomUUID } from 'node:crypto';
import type { Caller } from '#server/postgres/caller.ts';
import type { BroadcastFrames } from '../broadcast/broadcast-frames.ts';
import type { Subscription } from '../changes/subscription.ts';
import { REALTIME_LIMITS } from '../limits.ts';
import { type Ref, TOPIC_PREFIX } from '../wire/frames.ts';
import type { ChannelAccess } from './channel-access.ts';
import type { Binding, JoinConfig } from './join-config.ts';

/** How a channel sends to its client. */
export interface ChannelWire {
  /** Sends one event. `payloadJson` is JSON text. */
  send(frame: { joinRef: Ref; ref: Ref; topic: string; event: string }, payloadJson: string): void;
  sendBroadcast(frames: BroadcastFrames): void;
}

const NO_ACCESS: ChannelAccess = {
  broadcast: { read: false, write: false },
  presence: { read: false, write: false },
};

/** Broadcasts that arrive while earlier ones are read. */
interface Held {
  readonly frames: BroadcastFrames[];
  /** How many small broadcasts they count as. */
  weight: number;
  readonly onTooMany: () => void;
}

/** The caller a channel acts as. */
export interface ChannelIdentity {
  readonly caller: Caller;
  /** The access token as received; null for an API key. */
  readonly token: string | null;
}

/** A topic that a socket has joined. */
export class Channel {
  /** Unique on this server. */
  readonly id: number;
  /** Unique on all servers. */
  readonly address: string;
  /** In its wire form, with the prefix. */
  readonly topic: string;
  readonly joinRef: Ref;
  readonly bindings: readonly Binding[];
  readonly ids: readonly number[];
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  subscriptions: readonly Subscription[] = [];
  closed = false;
  /** When its session was last checked, in milliseconds since the epoch. */
  checkedAt: number;
  #identity: ChannelIdentity;
  #callerKey: string;
  readonly isPrivate: boolean;
  /** Whether its own broadcasts are sent back to it. */
  readonly hearsItself: boolean;
  /** Whether each of its broadcasts is acknowledged. */
  readonly acknowledges: boolean;
  /** The client relies on changes from the database, so after a gap it must join again. */
  readonly wantsNoGap: boolean;
  readonly presenceKey: string;
  wantsPresence: boolean;
  access = NO_ACCESS;
  #wire: ChannelWire;
  /** Null while no broadcasts are held back. */
  #held: Held | null = null;
  /** Ids of replayed broadcasts, which may still arrive as new ones. */
  #replayed = new Set<string>();

  constructor(options: {
    id: number;
    serverId: string;
    topic: string;
    joinRef: Ref;
    config: JoinConfig;
    ids: readonly number[];
    identity: ChannelIdentity;
    bytes: number;
    checkedAt: number;
    wire: ChannelWire;
  }) {
    const { config } = options;
    this.id = options.id;
    this.address = `${options.serverId}:${options.id}`;
    this.topic = options.topic;
    this.joinRef = options.joinRef;
    this.bindings = config.bindings;
    this.isPrivate = config.isPrivate;
    this.hearsItself = config.hearsItself;
    this.acknowledges = config.acknowledges;
    this.wantsNoGap = config.replay !== null || config.announcesReady;
    this.presenceKey = config.presenceKey ?? randomUUID();
    this.wantsPresence = config.wantsPresence;
    this.ids = options.ids;
    this.bytes = options.bytes;
    this.checkedAt = options.checkedAt;
    this.#identity = options.identity;
    this.#callerKey = keyOfCaller(options.identity.caller);
    this.#wire = options.wire;
  }

  /** The topic without the prefix. */
  get name(): string {
    return this.topic.slice(TOPIC_PREFIX.length);
  }

  get caller(): Caller {
    return this.#identity.caller;
  }

  get token(): string | null {
    return this.#identity.token;
  }

  /** Equal for channels of the same account or visitor, which can see the same rows. */
  get callerKey(): string {
    return this.#callerKey;
  }

  /** When its token was issued, in Unix seconds; 0 where that is unknown. */
  get issuedAt(): number {
    const { iat } = this.#identity.caller.claims;
    return typeof iat === 'number' ? iat : 0;
  }

  /** Unix seconds; null for a caller that does not expire. */
  get expiresAt(): number | null {
    const { exp } = this.#identity.caller.claims;
    return typeof exp === 'number' ? exp : null;
  }

  get sessionId(): string | null {
    const { session_id: id } = this.#identity.caller.claims;
    return typeof id === 'string' ? id : null;
  }

  become(identity: ChannelIdentity): void {
    this.#identity = identity;
    this.#callerKey = keyOfCaller(identity.caller);
  }

  reply(ref: Ref, status: 'ok' | 'error', response: object): void {
    this.#push('phx_reply', JSON.stringify({ status, response }), ref);
  }

  push(event: string, payloadJson: string): void {
    this.#push(event, payloadJson, null);
  }

  system(extension: string, status: 'ok' | 'error', message: string): void {
    this.push('system', JSON.stringify({ extension, status, message, channel: this.name }));
  }

  /** Delivers a broadcast, unless it was replayed before. */
  deliver(frames: BroadcastFrames): void {
    if (this.closed || this.#replayed.delete(frames.id)) return;
    if (this.#held === null) this.#wire.sendBroadcast(frames);
    else this.#hold(frames, this.#held);
  }

  /** Holds new broadcasts back until `release`, so that earlier ones come first. `onTooMany` must end the channel. */
  hold(onTooMany: () => void): void {
    this.#held = { frames: [], weight: 0, onTooMany };
  }

  /** Delivers the earlier broadcasts, then those held back, then new ones, each only once. */
  release(earlier: readonly BroadcastFrames[]): void {
    const meanwhile = this.#held?.frames ?? [];
    this.#held = null;
    for (const frames of earlier) this.deliver(frames);
    this.#replayed = new Set(earlier.map(({ id }) => id));
    for (const frames of meanwhile) this.deliver(frames);
  }

  /**
   * Ends the channel. After `phx_close` the client does not rejoin; after `phx_error` it rejoins and reads its data
   * again.
   */
  end(event: 'phx_close' | 'phx_error'): void {
    if (this.closed) return;
    this.#push(event, '{}', this.joinRef);
    this.closed = true;
  }

  #hold(frames: BroadcastFrames, held: Held): void {
    held.frames.push(frames);
    held.weight += frames.weight;
    if (held.weight > REALTIME_LIMITS.heldBroadcasts) held.onTooMany();
  }

  #push(event: string, payloadJson: string, ref: Ref): void {
    if (!this.closed) this.#wire.send({ joinRef: this.joinRef, ref, topic: this.topic, event }, payloadJson);
  }
}

/** Claims that differ between the tokens of one visitor, and that no policy may depend on. */
const OF_TOKEN = new Set(['iat', 'exp', 'jti', 'session_id', 'amr', 'unfinished_sign_in']);

/**
 * Of an account, the role and what it has shown: all of its tokens can see the same rows. Otherwise an account with a
 * thousand tokens would have each change decided a thousand times. Of other callers, the claims.
 */
function keyOfCaller({ role, claims }: Caller): string {
  const { sub, aal, is_anonymous: isAnonymous } = claims;
  if (typeof sub === 'string') return JSON.stringify([role, sub, aal, isAnonymous]);
  return JSON.stringify([role, Object.entries(claims).filter(([name]) => !OF_TOKEN.has(name))]);
}
