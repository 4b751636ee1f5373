import { HeldShare } from '#server/held-bytes.ts';
import type { Caller } from '#server/postgres/caller.ts';
import { BroadcastFrames } from './broadcast-frames.ts';
import { Channel, type ChannelIdentity, type ChannelWire, TOPIC_PREFIX } from './channel.ts';
import { accessTo, type ChannelAccess } from './channel-access.ts';
import { SubscriptionRefused } from './filter-sql.ts';
import { type ClientFrame, isRecord } from './frames.ts';
import { identify } from './identify.ts';
import { type JoinConfig, readJoinConfig } from './join-config.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { expired, SESSION_ENDED } from './realtime-errors.ts';
import { type ReplayWish, readEarlierBroadcasts } from './replay.ts';
import { changePresence, passOnBroadcast, type SpeechContext, type SpeechOutcome } from './speak-on-channel.ts';
import { checkBindings, type Subscription } from './subscription.ts';

type Answered = Pick<ClientFrame, 'joinRef' | 'ref' | 'topic'>;

/** The channels of one socket, at most one for each topic. */
export class SocketChannels {
  #context: RealtimeContext;
  #identity: ChannelIdentity;
  #wire: ChannelWire;
  #channels = new Map<string, Channel>();
  #clientAddress: string;
  #kept: HeldShare;
  #closed = false;

  #speaking: SpeechContext;

  constructor(context: RealtimeContext, identity: ChannelIdentity, clientAddress: string, wire: ChannelWire) {
    this.#context = context;
    this.#identity = identity;
    this.#wire = wire;
    this.#clientAddress = clientAddress;
    this.#kept = new HeldShare(context.memory.channels, clientAddress);
    this.#speaking = { ...context, mayTell: (weight) => context.takeBroadcasts(clientAddress, weight) };
  }

  get all(): Iterable<Channel> {
    return this.#channels.values();
  }

  get size(): number {
    return this.#channels.size;
  }

  reply({ joinRef, ref, topic }: Answered, status: 'ok' | 'error', response: object): void {
    if (ref === null) return;
    this.#wire.send({ joinRef, ref, topic, event: 'phx_reply' }, JSON.stringify({ status, response }));
  }

  /** Does what a frame of so many characters asks; whatever cannot be done is answered with an error. */
  async handle(frame: ClientFrame, size: number): Promise<void> {
    if (this.#closed) return;
    const refuse = (reason: string) => this.reply(frame, 'error', { reason });
    if (frame.event === 'phx_join') {
      const reason = await this.#join(frame, size);
      if (reason !== null) refuse(reason);
      return;
    }
    const channel = this.#channels.get(frame.topic);
    const isCurrent = channel !== undefined && (frame.joinRef === null || frame.joinRef === channel.joinRef);
    if (frame.event === 'phx_leave') {
      // Phoenix answers so whether or not the topic was joined.
      this.reply(frame, 'ok', {});
      if (isCurrent) this.#drop(channel, 'phx_close');
    } else if (!isCurrent) refuse('unmatched topic');
    else if (frame.event === 'access_token') await this.#changeToken(channel, frame.payload);
    else if (frame.event === 'broadcast')
      await this.#answer(frame, passOnBroadcast(this.#speaking, channel, frame.payload));
    else if (frame.event === 'presence')
      await this.#answer(frame, changePresence(this.#speaking, channel, frame.payload));
    else refuse('UnknownEvent: This server does not know the event');
  }

  /** Closes each channel whose token has expired or whose session is over; `now` in milliseconds. */
  check(now: number): void {
    for (const channel of this.#channels.values()) {
      const { expiresAt, token } = channel;
      if (expiresAt !== null && expiresAt * 1000 <= now) this.#refuse(channel, expired(expiresAt, now));
      else if (token !== null && now - channel.checkedAt > this.#context.tokenCheckMs()) {
        channel.checkedAt = now;
        this.#checkToken(channel, token);
      }
    }
  }

  /** Something happened to an account, or to any of them (null): what their channels' tokens are worth is asked again. */
  checkAccount(userId: string | null): void {
    for (const channel of this.#channels.values()) {
      const { token, caller } = channel;
      if (token !== null && (userId === null || caller.claims.sub === userId)) this.#checkToken(channel, token);
    }
  }

  endSession(sessionId: string): void {
    for (const channel of this.#channels.values()) {
      if (channel.sessionId === sessionId) this.#refuse(channel, SESSION_ENDED.message);
    }
  }

  restart(channel: Channel): void {
    if (this.#channels.get(channel.topic) === channel) this.#drop(channel, 'phx_error');
  }

  /** The socket is gone: nothing is told to its channels any more. */
  forget(): void {
    this.#closed = true;
    for (const channel of this.#channels.values()) {
      channel.closed = true;
      this.#leave(channel);
    }
    this.#channels.clear();
    this.#kept.set(0);
  }

  /** Joins, and resolves with null, or with the reason against it. */
  async #join(frame: ClientFrame, size: number): Promise<string | null> {
    const { topic, payload, ref } = frame;
    const { now, nextId, gate, log } = this.#context;
    const name = topic.slice(TOPIC_PREFIX.length);
    if (!topic.startsWith(TOPIC_PREFIX)) return 'unmatched topic';
    if (name === '') return 'TopicNameRequired: You must provide a topic name';
    if (name.length > REALTIME_LIMITS.nameLength) return 'TopicNameRequired: The topic name is too long';
    const before = this.#channels.get(topic);
    if (before !== undefined) this.#drop(before, 'phx_close');
    if (this.#channels.size >= REALTIME_LIMITS.channelsPerSocket) return TOO_MANY_CHANNELS;
    const config = readJoinConfig(payload);
    if (typeof config === 'string') return config;
    const asked = config.bindings.length + (config.replay === null ? 0 : 1);
    if (!this.#mayJoin(asked)) return 'ClientJoinRateLimitReached: Too many joins per second';

    const channel = new Channel({
      id: nextId(),
      serverId: this.#context.serverId,
      topic,
      joinRef: frame.joinRef ?? ref,
      config,
      ids: config.bindings.map(nextId),
      identity: this.#identity,
      bytes: bytesOf(config, size),
      checkedAt: now(),
      wire: this.#wire,
    });
    let subscriptions: Subscription[] | SubscriptionRefused;
    try {
      const token = config.accessToken;
      const identity = token === null ? this.#identity : await gate.run(() => identify(this.#context, token));
      if ('code' in identity) return `${identity.code}: ${identity.message}`;
      channel.become(identity);
      channel.access = await this.#accessTo(channel, channel.caller);
      if (!mayRead(channel.access)) return unauthorized(name);
      subscriptions = await gate.run(() => checkBindings(this.#context, channel));
    } catch (error) {
      log.warn({ err: error }, 'A realtime channel could not be joined.');
      return 'DatabaseUnavailable: Please try again';
    }
    if (this.#closed) return null;
    if (config.waits && subscriptions instanceof SubscriptionRefused) {
      return `RealtimeDisabledForConfiguration: ${subscriptions.message}`;
    }
    if (!this.#kept.set(this.#kept.bytes + channel.bytes)) return TOO_MANY_CHANNELS;
    if (config.replay !== null) channel.hold(() => this.restart(channel));
    this.#begin(channel, config, ref, subscriptions);
    // Its session may have ended while it was joining, when there was no channel yet to be told.
    if (channel.token !== null) this.#checkToken(channel, channel.token);
    try {
      if (channel.wantsPresence && channel.access.presence.read) await this.#context.presences.tellState(channel);
      this.#announce(channel, subscriptions);
      if (config.announcesReady) this.#announceReady(channel);
      if (config.replay !== null) await this.#replay(channel, config.replay);
    } catch (error) {
      // It is joined already, so that only its end tells the client to ask again.
      log.warn({ err: error }, 'A realtime channel could not be told what is and what was.');
      this.restart(channel);
    }
    return null;
  }

  /** Nothing waits in here, so no change can be told before the client knows the ids. */
  #begin(
    channel: Channel,
    config: JoinConfig,
    ref: ClientFrame['ref'],
    subscriptions: Subscription[] | SubscriptionRefused,
  ): void {
    this.#channels.set(channel.topic, channel);
    const bindings = config.bindings.map(({ echo }, index) => ({ id: channel.ids[index], ...echo }));
    channel.reply(ref, 'ok', { postgres_changes: bindings });
    this.#context.topics.join(channel);
    this.#subscribe(channel, subscriptions);
  }

  #announceReady(channel: Channel): void {
    if (this.#context.database.isHearing()) channel.system('system', 'ok', 'Replication connection established');
    else channel.system('system', 'error', 'Replication connection is not ready');
  }

  /** The channel has been joined, so that whatever is said while the database is asked is waiting behind the answer. */
  async #replay(channel: Channel, wish: ReplayWish): Promise<void> {
    const { database, gate } = this.#context;
    const earlier = await gate.run(() => readEarlierBroadcasts(database, channel.caller, channel.name, wish));
    channel.release(earlier.map((broadcast) => new BroadcastFrames(channel.topic, broadcast)));
  }

  #subscribe(channel: Channel, subscriptions: Subscription[] | SubscriptionRefused): void {
    const { subscribers } = this.#context;
    subscribers.remove(channel.subscriptions);
    channel.subscriptions = subscriptions instanceof SubscriptionRefused ? [] : subscriptions;
    subscribers.add(channel, channel.subscriptions);
  }

  #announce(channel: Channel, subscriptions: Subscription[] | SubscriptionRefused): void {
    if (channel.bindings.length === 0) return;
    if (subscriptions instanceof SubscriptionRefused) {
      channel.system('postgres_changes', 'error', subscriptions.message);
    } else channel.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL');
  }

  async #changeToken(channel: Channel, payload: unknown): Promise<void> {
    const token = isRecord(payload) ? payload.access_token : null;
    if (typeof token !== 'string' || token.startsWith('sb_') || token === channel.token) return;
    if (!this.#mayJoin(channel.bindings.length)) {
      this.restart(channel);
      return;
    }
    try {
      await this.#takeToken(channel, token);
    } catch (error) {
      // The client has let go of the old token: it joins again, with the new one.
      this.#context.log.warn({ err: error }, 'A realtime channel could not take a new token.');
      this.restart(channel);
    }
  }

  /** The channel acts as it did before until everything that the new token depends on has been checked. */
  async #takeToken(channel: Channel, token: string): Promise<void> {
    const { gate, now } = this.#context;
    const checkedAt = now();
    const identity = await gate.run(() => identify(this.#context, token));
    if ('code' in identity) {
      this.#refuse(channel, identity.message);
      return;
    }
    const { caller } = identity;
    const access = await this.#accessTo(channel, caller);
    if (!mayRead(access)) {
      this.#refuse(channel, unauthorized(channel.name));
      return;
    }
    const { bindings, ids } = channel;
    const subscriptions = await gate.run(() => checkBindings(this.#context, { caller, bindings, ids }));
    if (channel.closed) return;
    channel.become(identity);
    channel.checkedAt = checkedAt;
    channel.access = access;
    this.#subscribe(channel, subscriptions);
    this.#announce(channel, subscriptions);
    // Its session may have ended meanwhile, when no channel acted for it that could be told.
    this.#checkToken(channel, token);
  }

  async #answer(frame: ClientFrame, outcome: Promise<SpeechOutcome>): Promise<void> {
    const said = await outcome;
    if (said === 'acknowledged') this.reply(frame, 'ok', {});
    else if (said !== 'silent') this.reply(frame, 'error', { reason: said.refused });
  }

  #accessTo(channel: Channel, caller: Caller): Promise<ChannelAccess> {
    const { gate, database } = this.#context;
    return channel.isPrivate
      ? gate.run(() => accessTo(database, caller, channel))
      : accessTo(database, caller, channel);
  }

  #mayJoin(subscriptions: number): boolean {
    return this.#context.takeJoins(this.#clientAddress, Math.max(1, subscriptions));
  }

  #checkToken(channel: Channel, token: string): void {
    const { gate, log } = this.#context;
    gate
      .run(() => identify(this.#context, token))
      .then(
        (identity) => {
          if ('code' in identity) this.#refuse(channel, identity.message);
          // A second factor was set up, and this sign-in has not shown it.
          else if (identity.caller.role !== channel.caller.role) this.#refuse(channel, SESSION_ENDED.message);
        },
        (error: unknown) => log.warn({ err: error }, 'A realtime session could not be looked up.'),
      );
  }

  #refuse(channel: Channel, message: string): void {
    channel.system('system', 'error', message);
    this.#drop(channel, 'phx_close');
  }

  #drop(channel: Channel, event: 'phx_close' | 'phx_error'): void {
    if (this.#channels.get(channel.topic) === channel) {
      this.#channels.delete(channel.topic);
      this.#kept.set(this.#kept.bytes - channel.bytes);
    }
    channel.end(event);
    this.#leave(channel);
  }

  #leave(channel: Channel): void {
    this.#context.subscribers.remove(channel.subscriptions);
    this.#context.topics.leave(channel);
    this.#context.presences.leave(channel);
  }
}

const TOO_MANY_CHANNELS = 'ChannelRateLimitReached: Too many channels';

/** What a channel and each of its subscriptions take in memory beside what their join says, measured and rounded up. */
const CHANNEL_BYTES = 3 * 1024;
const BINDING_BYTES = 2 * 1024;

/** Each character of a join is kept at most twice: as it was asked for, and as it was checked. */
function bytesOf({ bindings }: JoinConfig, size: number): number {
  return CHANNEL_BYTES + bindings.length * BINDING_BYTES + size * 2;
}

function mayRead({ broadcast, presence }: ChannelAccess): boolean {
  return broadcast.read || presence.read;
}

function unauthorized(name: string): string {
  return `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`;
}
