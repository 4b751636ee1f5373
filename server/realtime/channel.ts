import type { Caller } from '#server/postgres/caller.ts';
import type { Ref } from './frames.ts';
import type { Binding } from './join-config.ts';
import type { Subscription } from './subscription.ts';

/** Sends one event on a channel; `payloadJson` is JSON text. */
export type ChannelSend = (
  frame: { joinRef: Ref; ref: Ref; topic: string; event: string },
  payloadJson: string,
) => void;

/** Who a channel acts as, and until when. */
export interface ChannelIdentity {
  readonly caller: Caller;
  /** The access token as it came; null for an API key. */
  readonly token: string | null;
}

/** One joined topic of one socket. */
export class Channel {
  readonly topic: string;
  readonly joinRef: Ref;
  readonly bindings: readonly Binding[];
  readonly ids: readonly number[];
  subscriptions: readonly Subscription[] = [];
  closed = false;
  /** When its session was last looked up, in milliseconds since the epoch. */
  checkedAt: number;
  #identity: ChannelIdentity;
  #callerKey: string;
  #send: ChannelSend;

  constructor(options: {
    topic: string;
    joinRef: Ref;
    bindings: readonly Binding[];
    ids: readonly number[];
    identity: ChannelIdentity;
    checkedAt: number;
    send: ChannelSend;
  }) {
    this.topic = options.topic;
    this.joinRef = options.joinRef;
    this.bindings = options.bindings;
    this.ids = options.ids;
    this.checkedAt = options.checkedAt;
    this.#identity = options.identity;
    this.#callerKey = keyOfCaller(options.identity.caller);
    this.#send = options.send;
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
    const channel = this.topic.slice(this.topic.indexOf(':') + 1);
    this.push('system', JSON.stringify({ extension, status, message, channel }));
  }

  /** `phx_close`: over for good, the client does not come back; `phx_error`: it joins again, and reads again. */
  end(event: 'phx_close' | 'phx_error'): void {
    if (this.closed) return;
    this.#push(event, '{}', this.joinRef);
    this.closed = true;
  }

  #push(event: string, payloadJson: string, ref: Ref): void {
    if (!this.closed) this.#send({ joinRef: this.joinRef, ref, topic: this.topic, event }, payloadJson);
  }
}

function keyOfCaller({ role, claims }: Caller): string {
  return `${role} ${JSON.stringify(claims)}`;
}
