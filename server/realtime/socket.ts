import { Channel, type ChannelIdentity } from './channel.ts';
import { SubscriptionRefused } from './filter-sql.ts';
import { type ClientFrame, decodeFrame, encodeFrame, isRecord, type ProtocolVersion, type Ref } from './frames.ts';
import { readJoinConfig } from './join-config.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { expired, NOT_OFFERED, SESSION_ENDED, tokenRefusal } from './realtime-errors.ts';
import { sessionLives } from './session-lives.ts';
import { checkBinding, type Subscription } from './subscription.ts';
import { TokenBucket } from './token-bucket.ts';

/** The transport under a socket. */
export interface Wire {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Drops the connection without a word. */
  terminate(): void;
  /** Bytes that the client has not taken yet. */
  bufferedBytes(): number;
}

export interface SocketOptions {
  readonly context: RealtimeContext;
  readonly wire: Wire;
  readonly version: ProtocolVersion;
  readonly clientAddress: string;
  /** Who the handshake's key stands for: a channel that joins without a token acts as it. */
  readonly identity: ChannelIdentity;
}

const TOPIC_PREFIX = 'realtime:';

/** One client's connection: its channels, and what it asks of them, one thing after another. */
export class Socket {
  readonly clientAddress: string;
  #context: RealtimeContext;
  #wire: Wire;
  #version: ProtocolVersion;
  #identity: ChannelIdentity;
  #channels = new Map<string, Channel>();
  #frames: TokenBucket;
  #joins: TokenBucket;
  #heardAt: number;
  #waiting = 0;
  #work: Promise<void> = Promise.resolve();
  #closed = false;
  #resolveGone: () => void = () => undefined;
  /** Resolves when the connection is over. */
  readonly gone = new Promise<void>((resolve) => {
    this.#resolveGone = resolve;
  });

  constructor({ context, wire, version, clientAddress, identity }: SocketOptions) {
    const now = context.now();
    this.clientAddress = clientAddress;
    this.#context = context;
    this.#wire = wire;
    this.#version = version;
    this.#identity = identity;
    this.#heardAt = now;
    this.#frames = new TokenBucket(REALTIME_LIMITS.framesPerSecond, REALTIME_LIMITS.frameBurst, now);
    this.#joins = new TokenBucket(REALTIME_LIMITS.joinsPerSecond, REALTIME_LIMITS.joinBurst, now);
  }

  get channels(): Iterable<Channel> {
    return this.#channels.values();
  }

  /** Takes one frame of the client. What is no frame is counted and passed over. */
  receive(data: string | ArrayBuffer): void {
    if (this.#closed) return;
    const now = this.#context.now();
    this.#heardAt = now;
    if (!this.#frames.take(now)) {
      this.close(1008, 'Too many messages per second');
      return;
    }
    const frame = decodeFrame(data, this.#version);
    if (frame === null) return;
    if (frame.topic === 'phoenix') {
      if (frame.event === 'heartbeat') this.#reply(frame, 'ok', {});
      return;
    }
    if (this.#waiting >= REALTIME_LIMITS.waitingFrames) {
      this.close(1008, 'Too many messages at once');
      return;
    }
    // In order: what follows a join finds the channel joined.
    this.#waiting += 1;
    this.#work = this.#work
      .then(() => this.#handle(frame))
      .catch((error: unknown) => {
        this.#context.log.warn({ err: error }, 'A realtime message could not be answered.');
        this.#reply(frame, 'error', { reason: 'InternalError: Please try again' });
      })
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  /** Looks at the clock: an idle socket is closed, and so is each channel whose token or session is over. */
  check(now: number): void {
    if (now - this.#heardAt > REALTIME_LIMITS.idleMs) {
      this.close(1001, 'No heartbeat');
      return;
    }
    for (const channel of this.#channels.values()) {
      const { expiresAt, sessionId } = channel;
      if (expiresAt !== null && expiresAt * 1000 <= now) this.#refuse(channel, expired(expiresAt, now));
      else if (sessionId !== null && now - channel.checkedAt > REALTIME_LIMITS.tokenCheckMs) {
        channel.checkedAt = now;
        this.#checkSession(channel, sessionId);
      }
    }
  }

  /** Closes the channels of a session that has ended. */
  endSession(sessionId: string): void {
    for (const channel of this.#channels.values()) {
      if (channel.sessionId === sessionId) this.#refuse(channel, SESSION_ENDED.message);
    }
  }

  /** Ends a channel in the way that makes the client join, and so read, again. */
  restart(channel: Channel): void {
    if (this.#channels.get(channel.topic) === channel) this.#drop(channel, 'phx_error');
  }

  close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#wire.close(code, reason);
    this.#forget();
  }

  /** Drops the connection where its client does not answer a goodbye. */
  terminate(): void {
    this.#wire.terminate();
  }

  /** To be told when the connection is over, whoever ended it. */
  onGone(): void {
    this.#forget();
    this.#resolveGone();
  }

  #forget(): void {
    this.#closed = true;
    for (const channel of this.#channels.values()) {
      this.#context.subscribers.remove(channel.subscriptions);
      channel.closed = true;
    }
    this.#channels.clear();
    this.#context.onClosed(this);
  }

  async #handle(frame: ClientFrame): Promise<void> {
    if (this.#closed) return;
    if (frame.event === 'phx_join') return this.#join(frame);
    const channel = this.#channels.get(frame.topic);
    const current = channel !== undefined && (frame.joinRef === null || frame.joinRef === channel.joinRef);
    if (frame.event === 'phx_leave') {
      this.#reply(frame, 'ok', {});
      if (current) this.#drop(channel, 'phx_close');
      return;
    }
    if (!current) return this.#reply(frame, 'error', { reason: 'unmatched topic' });
    if (frame.event === 'access_token') return this.#changeToken(channel, frame.payload);
    if (frame.event === 'broadcast') return this.#reply(frame, 'error', { reason: NOT_OFFERED.broadcast });
    if (frame.event === 'presence') return this.#reply(frame, 'error', { reason: NOT_OFFERED.presence });
    this.#reply(frame, 'error', { reason: 'UnknownEvent: This server does not know the event' });
  }

  async #join(frame: ClientFrame): Promise<void> {
    const refuse = (reason: string) => this.#reply(frame, 'error', { reason });
    const { topic, payload, ref } = frame;
    const { now, nextId, log } = this.#context;
    if (!topic.startsWith(TOPIC_PREFIX)) return refuse('unmatched topic');
    if (topic === TOPIC_PREFIX) return refuse('TopicNameRequired: You must provide a topic name');
    if (topic.length > REALTIME_LIMITS.nameLength) return refuse('TopicNameRequired: The topic name is too long');
    if (!this.#joins.take(now())) return refuse('ClientJoinRateLimitReached: Too many joins per second');

    const before = this.#channels.get(topic);
    if (before !== undefined) this.#drop(before, 'phx_close');
    if (this.#channels.size >= REALTIME_LIMITS.channelsPerSocket)
      return refuse('ChannelRateLimitReached: Too many channels');
    const config = readJoinConfig(payload);
    if (typeof config === 'string') return refuse(config);
    const identity = await this.#identify(config.accessToken);
    if ('code' in identity) return refuse(`${identity.code}: ${identity.message}`);
    if (config.isPrivate) {
      return refuse(
        `Unauthorized: You do not have permissions to read from this Channel topic: ${topic.slice(TOPIC_PREFIX.length)}`,
      );
    }

    const channel = new Channel({
      topic,
      joinRef: frame.joinRef ?? ref,
      bindings: config.bindings,
      ids: config.bindings.map(nextId),
      identity,
      checkedAt: now(),
      send: (header, json) => this.#send(encodeFrame(this.#version, header, json)),
    });
    let subscriptions: Subscription[] | SubscriptionRefused;
    try {
      subscriptions = await this.#subscribe(channel);
    } catch (error) {
      log.warn({ err: error }, 'A realtime channel could not be joined.');
      return refuse('DatabaseUnavailable: Please try again');
    }
    if (this.#closed) return;
    const refused = subscriptions instanceof SubscriptionRefused ? subscriptions.message : null;
    if (refused !== null && config.waits) return refuse(`RealtimeDisabledForConfiguration: ${refused}`);

    // From here to the reply nothing waits, so no change can come before the client knows the ids.
    this.#channels.set(topic, channel);
    channel.reply(ref, 'ok', {
      postgres_changes: config.bindings.map(({ echo }, index) => ({ id: channel.ids[index], ...echo })),
    });
    if (config.wantsPresence) channel.system('presence', 'error', NOT_OFFERED.presence);
    this.#goLive(channel, subscriptions);
  }

  /** The subscriptions of a channel as its caller, or the first refusal. */
  async #subscribe(channel: Channel): Promise<Subscription[] | SubscriptionRefused> {
    try {
      const subscriptions: Subscription[] = [];
      for (const [index, binding] of channel.bindings.entries()) {
        subscriptions.push(await checkBinding(this.#context, channel.caller, binding, channel.ids[index] ?? 0));
      }
      return subscriptions;
    } catch (error) {
      if (error instanceof SubscriptionRefused) return error;
      throw error;
    }
  }

  #goLive(channel: Channel, subscriptions: Subscription[] | SubscriptionRefused): void {
    const { subscribers } = this.#context;
    subscribers.remove(channel.subscriptions);
    channel.subscriptions = subscriptions instanceof SubscriptionRefused ? [] : subscriptions;
    subscribers.add(channel, channel.subscriptions);
    if (channel.bindings.length === 0) return;
    if (subscriptions instanceof SubscriptionRefused)
      channel.system('postgres_changes', 'error', subscriptions.message);
    else channel.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL');
  }

  async #changeToken(channel: Channel, payload: unknown): Promise<void> {
    const token = isRecord(payload) ? payload['access_token'] : null;
    if (typeof token !== 'string' || token.startsWith('sb_') || token === channel.token) return;
    const identity = await this.#identify(token);
    if ('code' in identity) return this.#refuse(channel, identity.message);
    channel.checkedAt = this.#context.now();
    channel.become(identity);
    const subscriptions = await this.#subscribe(channel);
    if (!channel.closed) this.#goLive(channel, subscriptions);
  }

  async #identify(token: string | null): Promise<ChannelIdentity | { code: string; message: string }> {
    if (token === null) return this.#identity;
    const { resolveCaller, database, now } = this.#context;
    const resolved = await resolveCaller(null, token);
    if (!resolved.ok) return tokenRefusal(resolved, now());
    const { session_id: sessionId } = resolved.caller.claims;
    if (typeof sessionId === 'string' && !(await sessionLives(database, sessionId))) return SESSION_ENDED;
    return { caller: resolved.caller, token: resolved.token };
  }

  #checkSession(channel: Channel, sessionId: string): void {
    sessionLives(this.#context.database, sessionId).then(
      (lives) => {
        if (!lives) this.#refuse(channel, SESSION_ENDED.message);
      },
      (error: unknown) => this.#context.log.warn({ err: error }, 'A realtime session could not be looked up.'),
    );
  }

  #refuse(channel: Channel, message: string): void {
    channel.system('system', 'error', message);
    this.#drop(channel, 'phx_close');
  }

  #drop(channel: Channel, event: 'phx_close' | 'phx_error'): void {
    this.#context.subscribers.remove(channel.subscriptions);
    if (this.#channels.get(channel.topic) === channel) this.#channels.delete(channel.topic);
    channel.end(event);
  }

  #reply(
    { joinRef, ref, topic }: { joinRef: Ref; ref: Ref; topic: string },
    status: 'ok' | 'error',
    response: object,
  ): void {
    if (ref === null) return;
    this.#send(
      encodeFrame(this.#version, { joinRef, ref, topic, event: 'phx_reply' }, JSON.stringify({ status, response })),
    );
  }

  #send(text: string): void {
    if (this.#closed) return;
    if (this.#wire.bufferedBytes() > REALTIME_LIMITS.bufferedBytes) {
      // A goodbye would only queue up behind the rest.
      this.#wire.terminate();
      this.#forget();
      return;
    }
    this.#wire.send(text);
  }
}
