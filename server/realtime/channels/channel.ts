import { randomUUID } from 'node:crypto';
import type { Caller } from '#server/postgres/caller.ts';
import type { BroadcastFrames } from './broadcast-frames.ts';
import type { ChannelAccess } from './channel-access.ts';
import type { Ref } from './frames.ts';
import type { Binding, JoinConfig } from './join-config.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { Subscription } from './subscription.ts';

/** What every topic begins with on the wire. */
export const TOPIC_PREFIX = 'realtime:';

/** The way from a channel to its client. */
export interface ChannelWire {
  /** Sends one event; `payloadJson` is JSON text. */
  send(frame: { joinRef: Ref; ref: Ref; topic: string; event: string }, payloadJson: string): void;
  sendBroadcast(frames: BroadcastFrames): void;
}

const NO_ACCESS: ChannelAccess = {
  broadcast: { read: false, write: false },
  presence: { read: false, write: false },
};

/** What was said while earlier broadcasts are looked up. */
interface Held {
  readonly frames: BroadcastFrames[];
  /** For how many small broadcasts they count. */
  weight: number;
  readonly onTooMany: () => void;
}

/** Who a channel acts as, and until when. */
export interface ChannelIdentity {
  readonly caller: Caller;
  /** The access token as it came; null for an API key. */
  readonly token: string | null;
}

/** One joined topic of one socket. */
export class Channel {
  /** Of all channels of this server. */
  readonly id: number;
  /** Of all channels of all servers. */
  readonly address: string;
  /** As it stands on the wire, with its prefix. */
  readonly topic: string;
  readonly joinRef: Ref;
  readonly bindings: readonly Binding[];
  readonly ids: readonly number[];
  /** What it takes in memory, by estimate. */
  readonly bytes: number;
  subscriptions: readonly Subscription[] = [];
  closed = false;
  /** When its session was last looked up, in milliseconds since the epoch. */
  checkedAt: number;
  #identity: ChannelIdentity;
  #callerKey: string;
  readonly isPrivate: boolean;
  /** Its own broadcasts come back to it. */
  readonly hearsItself: boolean;
  /** Each of its broadcasts is answered. */
  readonly acknowledges: boolean;
  /** Its client counts on hearing what the database says: after a gap it joins again. */
  readonly wantsNoGap: boolean;
  readonly presenceKey: string;
  wantsPresence: boolean;
  access = NO_ACCESS;
  #wire: ChannelWire;
  /** Null where nothing is waited for. */
  #held: Held | null = null;
  /** The ids of what was told as earlier, and may still arrive as new. */
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

  /** Its topic without the prefix. */
  get name(): string {
    return this.topic.slice(TOPIC_PREFIX.length);
  }

  get caller(): Caller {
    return this.#identity.caller;
  }

  get token(): string | null {
    return this.#identity.token;
  }

  /** The same for channels that may see the same: role and claims. */
  get callerKey(): string {
    return this.#callerKey;
  }

  /** Unix seconds; null for a caller without an expiry. */
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

  /** Tells the client what another one of its topic said. */
  tell(frames: BroadcastFrames): void {
    if (this.closed || this.#replayed.delete(frames.id)) return;
    if (this.#held === null) this.#wire.sendBroadcast(frames);
    else this.#hold(frames, this.#held);
  }

  /** What is said from now on waits for what was said before the client joined; `onTooMany` is to end the channel. */
  hold(onTooMany: () => void): void {
    this.#held = { frames: [], weight: 0, onTooMany };
  }

  /** Tells what was said earlier, then what came meanwhile and what comes, nothing twice. */
  release(earlier: readonly BroadcastFrames[]): void {
    const meanwhile = this.#held?.frames ?? [];
    this.#held = null;
    for (const frames of earlier) this.tell(frames);
    this.#replayed = new Set(earlier.map(({ id }) => id));
    for (const frames of meanwhile) this.tell(frames);
  }

  /** `phx_close`: over for good, the client does not come back; `phx_error`: it joins again, and reads again. */
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

function keyOfCaller({ role, claims }: Caller): string {
  return `${role} ${JSON.stringify(claims)}`;
}
