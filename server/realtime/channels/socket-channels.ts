import { HeldShare } from '#server/limits/memory/held-bytes.ts';
import { type Caller, holderOf } from '#server/postgres/caller.ts';
import { BroadcastFrames } from '../broadcast/broadcast-frames.ts';
import { type ReplayRequest, readEarlierBroadcasts } from '../broadcast/replay.ts';
import { SubscriptionRefused } from '../changes/filter-sql.ts';
import { checkBindings, type Subscription } from '../changes/subscription.ts';
import { REALTIME_LIMITS } from '../limits.ts';
import type { RealtimeContext } from '../realtime-context.ts';
import { type ClientFrame, isRecord, TOPIC_PREFIX } from '../wire/frames.ts';
import { identify } from '../wire/identify.ts';
import { expired, SESSION_ENDED } from '../wire/realtime-errors.ts';
import { Channel, type ChannelIdentity, type ChannelWire } from './channel.ts';
import { accessTo, type ChannelAccess } from './channel-access.ts';
import { type JoinConfig, readJoinConfig } from './join-config.ts';
import {
  type ChannelSendContext,
  type ChannelSendOutcome,
  changePresence,
  passOnBroadcast,
} from './send-on-channel.ts';

type Reply = Pick<ClientFrame, 'joinRef' | 'ref' | 'topic'>;

/** The channels of one socket, at most one per topic. */
export class SocketChannels {
  #context: RealtimeContext;
  #identity: ChannelIdentity;
  #wire: ChannelWire;
  #channels = new Map<string, Channel>();
  #clientAddress: string;
  #kept: HeldShare;
  #closed = false;

  #speaking: ChannelSendContext;

  constructor(context: RealtimeContext, identity: ChannelIdentity, clientAddress: string, wire: ChannelWire) {
    this.#context = context;
    this.#identity = identity;
    this.#wire = wire;
    this.#clientAddress = clientAddress;
    this.#kept = new HeldShare(context.memory.channels, clientAddress);
    this.#speaking = { ...context, mayReport: (weight) => context.takeBroadcasts(clientAddress, weight) };
  }

  get all(): Iterable<Channel> {
    return this.#channels.values();
  }

  get size(): number {
    return this.#channels.size;
  }

  reply({ joinRef, ref, topic }: Reply, status: 'ok' | 'error', response: object): void {
    if (ref === null) return;
    this.#wire.send({ joinRef, ref, topic, event: 'phx_reply' }, JSON.stringify({ status, response }));
  }

  /** Handles a frame of `size` characters. Replies with an error where it cannot. */
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
      // Phoenix replies like this whether or not the topic was joined.
      this.reply(frame, 'ok', {});
      if (isCurrent) this.#drop(channel, 'phx_close');
    } else if (!isCurrent) refuse('unmatched topic');
    else if (frame.event === 'access_token') await this.#changeToken(channel, frame.payload);
    else if (frame.event === 'broadcast')
      await this.#replyTo(frame, passOnBroadcast(this.#speaking, channel, frame.payload));
    else if (frame.event === 'presence')
      await this.#replyTo(frame, changePresence(this.#speaking, channel, frame.payload));
    else refuse('UnknownEvent: This server does not know the event');
  }

  /**
   * Closes each channel whose token has expired and starts the periodic check of sessions. `now` is in milliseconds.
   */
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

  /** Checks again the tokens of an account's channels, or of all channels (null), after the account has changed. */
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

  /** Stops delivery to all channels after the socket has closed. */
  forget(): void {
    this.#closed = true;
    for (const channel of this.#channels.values()) {
      channel.closed = true;
      this.#leave(channel);
    }
    this.#channels.clear();
    this.#kept.set(0);
  }

  /** Joins a channel. Resolves with null, or with the reason for a refusal. */
  async #join(frame: ClientFrame, size: number): Promise<string | null> {
    const { topic, payload, ref } = frame;
    const { now, nextId, inTurn, log } = this.#context;
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
      const identity = token === null ? this.#identity : await inTurn(null, () => identify(this.#context, token));
      if ('code' in identity) return `${identity.code}: ${identity.message}`;
      channel.become(identity);
      channel.access = await this.#accessTo(channel, channel.caller);
      if (!mayRead(channel.access)) return unauthorized(name);
      subscriptions = await inTurn(this.#holderOf(channel.caller), () => checkBindings(this.#context, channel));
    } catch (error) {
      log.warn({ err: error }, 'A realtime channel could not be joined.');
      return 'DatabaseUnavailable: Please try again';
    }
    if (this.#closed) return null;
    if (config.waits && subscriptions instanceof SubscriptionRefused) {
      return `RealtimeDisabledForConfiguration: ${subscriptions.message}`;
    }
    if (!this.#holdFilters(channel, subscriptions)) return TOO_MANY_FILTERS;
    if (!this.#kept.set(this.#kept.bytes + channel.bytes)) {
      this.#context.filters.release(channel);
      return TOO_MANY_CHANNELS;
    }
    if (config.replay !== null) channel.hold(() => this.restart(channel));
    this.#begin(channel, config, ref, subscriptions);
    // The session may have ended during the join, before there was a channel to notify.
    if (channel.token !== null) this.#checkToken(channel, channel.token);
    try {
      if (channel.wantsPresence && channel.access.presence.read) await this.#context.presences.sendState(channel);
      this.#announce(channel, subscriptions);
      if (config.announcesReady) this.#announceReady(channel);
      if (config.replay !== null) await this.#replay(channel, config.replay);
    } catch (error) {
      // The client is joined already, so only ending the channel makes it join and read again.
      log.warn({ err: error }, 'A realtime channel could not be sent its presence state or earlier broadcasts.');
      this.restart(channel);
    }
    return null;
  }

  /** Synchronous, so that no change can be delivered before the reply with the ids. */
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

  /** The channel has joined and holds broadcasts back, so none is lost between the query and the release. */
  async #replay(channel: Channel, replayRequest: ReplayRequest): Promise<void> {
    const { database, inTurn } = this.#context;
    const { caller, name } = channel;
    const earlier = await inTurn(this.#holderOf(caller), () =>
      readEarlierBroadcasts(database, caller, name, replayRequest),
    );
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
      // The client has discarded the old token: it rejoins with the new one.
      this.#context.log.warn({ err: error }, 'A realtime channel could not take a new token.');
      this.restart(channel);
    }
  }

  /** The channel keeps its current identity until everything that depends on the new token has been checked. */
  async #takeToken(channel: Channel, token: string): Promise<void> {
    const { inTurn, now } = this.#context;
    const checkedAt = now();
    const identity = await inTurn(null, () => identify(this.#context, token));
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
    const subscriptions = await inTurn(this.#holderOf(caller), () =>
      checkBindings(this.#context, { caller, bindings, ids }),
    );
    if (channel.closed) return;
    channel.become(identity);
    if (!this.#holdFilters(channel, subscriptions)) {
      this.#refuse(channel, TOO_MANY_FILTERS);
      return;
    }
    channel.checkedAt = checkedAt;
    channel.access = access;
    this.#subscribe(channel, subscriptions);
    this.#announce(channel, subscriptions);
    // The session may have ended in the meantime, while no channel acted for it.
    this.#checkToken(channel, token);
  }

  async #replyTo(frame: ClientFrame, outcome: Promise<ChannelSendOutcome>): Promise<void> {
    const said = await outcome;
    if (said === 'acknowledged') this.reply(frame, 'ok', {});
    else if (said !== 'silent') this.reply(frame, 'error', { reason: said.refused });
  }

  #accessTo(channel: Channel, caller: Caller): Promise<ChannelAccess> {
    const { inTurn, database } = this.#context;
    const access = () => accessTo(database, caller, channel);
    return channel.isPrivate ? inTurn(this.#holderOf(caller), access) : access();
  }

  #holderOf(caller: Caller): string {
    return holderOf(caller, {}) ?? this.#clientAddress;
  }

  #mayJoin(subscriptions: number): boolean {
    return this.#context.takeJoins(this.#clientAddress, Math.max(1, subscriptions));
  }

  #checkToken(channel: Channel, token: string): void {
    const { inTurn, log } = this.#context;
    inTurn(null, () => identify(this.#context, token)).then(
      (identity) => {
        if ('code' in identity) this.#refuse(channel, identity.message);
        // A second factor was enrolled that this session has not shown.
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

  #holdFilters(channel: Channel, subscriptions: Subscription[] | SubscriptionRefused): boolean {
    const held = subscriptions instanceof SubscriptionRefused ? [] : subscriptions;
    return this.#context.filters.hold(channel, this.#clientAddress, held);
  }

  #leave(channel: Channel): void {
    this.#context.filters.release(channel);
    this.#context.subscribers.remove(channel.subscriptions);
    this.#context.topics.leave(channel);
    this.#context.presences.leave(channel);
  }
}

const TOO_MANY_FILTERS = 'ChannelRateLimitReached: Too many different filters';
const TOO_MANY_CHANNELS = 'ChannelRateLimitReached: Too many channels';

/** Memory of a channel and of each subscription beside the text of the join, in bytes: high estimates. */
const CHANNEL_BYTES = 3 * 1024;
const BINDING_BYTES = 2 * 1024;

/** Each character of a join is kept at most twice: as requested and as checked. */
function bytesOf({ bindings }: JoinConfig, size: number): number {
  return CHANNEL_BYTES + bindings.length * BINDING_BYTES + size * 2;
}

function mayRead({ broadcast, presence }: ChannelAccess): boolean {
  return broadcast.read || presence.read;
}

function unauthorized(name: string): string {
  return `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`;
}
