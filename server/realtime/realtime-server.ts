import { randomUUID } from 'node:crypto';
import type { Dependencies } from '#server/dependencies.ts';
import { Gate } from '#server/gate.ts';
import { HeldBytes } from '#server/held-bytes.ts';
import type { WebSocketBounds } from '#server/http/listen.ts';
import { AddressBook } from './address-book.ts';
import type { Broadcast } from './broadcast.ts';
import { BroadcastRelay } from './broadcast-relay.ts';
import { parseChange } from './change.ts';
import type { Channel } from './channel.ts';
import { REALTIME_LIMITS } from './limits.ts';
import { NotificationParts } from './notification-parts.ts';
import { Presences } from './presences.ts';
import { PublishedTables } from './published-tables.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { Socket, type SocketOptions } from './socket.ts';
import { Subscribers } from './subscribers.ts';
import { ChangeTeller } from './tell-changes.ts';
import { Topics } from './topics.ts';

/** The realtime half of one server process: its sockets, and the changes that it tells them. */
export interface RealtimeServer {
  /** What the WebSocket server must be given. */
  readonly webSocketBounds: WebSocketBounds;
  /** Whether one more socket from this address is within the bounds. */
  hasRoomFor(clientAddress: string): boolean;
  /** Passes a broadcast on to every server; resolves once it is on its way. */
  broadcast(broadcast: Broadcast): Promise<void>;
  /** Whether an address may broadcast so many times more. */
  takeBroadcasts(clientAddress: string, count: number): boolean;
  /** Whether it may ask about so many private topics more. */
  takeJoins(clientAddress: string, count: number): boolean;
  open(options: Omit<SocketOptions, 'context' | 'onGone'>): Socket;
  /** Sends every client away with 1012, on which it comes back by itself, and takes no more. */
  close(): Promise<void>;
}

const CHECK_EVERY_MS = 1_000;

/** Listens to the database's changes, and resolves once it does. */
export async function createRealtimeServer({
  config,
  database,
  resolveCaller,
  log,
  now,
}: Dependencies): Promise<RealtimeServer> {
  const sockets = new Set<Socket>();
  const addresses = new AddressBook(now);
  const subscribers = new Subscribers();
  const tables = new PublishedTables(database, now);
  const serverId = randomUUID();
  const topics = new Topics();
  const presences = new Presences({ database, topics, log, serverId });
  const changeParts = new NotificationParts();
  const broadcastParts = new NotificationParts();
  const presenceParts = new NotificationParts();
  let lastId = 0;
  let closing = false;

  const restart = (isAffected: (channel: Channel) => boolean): void => {
    for (const socket of sockets) {
      for (const channel of socket.channels) if (isAffected(channel)) socket.restart(channel);
    }
  };
  const restartReaders = (channels: Iterable<Channel> | null): void => {
    const affected = channels === null ? null : new Set(channels);
    restart((channel) => (affected === null ? channel.subscriptions.length > 0 : affected.has(channel)));
  };
  const relay = new BroadcastRelay({
    database,
    topics,
    onLost(channels) {
      const lost = new Set(channels);
      restart((channel) => channel.wantsNoGap && lost.has(channel));
    },
  });
  const teller = new ChangeTeller({ database, tables, subscribers, log, onLost: restartReaders });

  const context: RealtimeContext = {
    database,
    resolveCaller,
    log,
    now,
    serverId,
    publicChannels: config.realtimePublicChannels,
    topics,
    relay,
    presences,
    tables,
    subscribers,
    nextId: () => {
      lastId += 1;
      return lastId;
    },
    gate: new Gate(REALTIME_LIMITS.joinsAtOnce),
    memory: {
      incoming: new HeldBytes({
        perAddress: REALTIME_LIMITS.incomingBytesPerAddress,
        inAll: REALTIME_LIMITS.incomingBytes,
      }),
      buffered: new HeldBytes({
        perAddress: REALTIME_LIMITS.bufferedBytesPerAddress,
        inAll: REALTIME_LIMITS.bufferedBytesInAll,
      }),
      channels: new HeldBytes({
        perAddress: REALTIME_LIMITS.channelBytesPerAddress,
        inAll: REALTIME_LIMITS.channelBytes,
      }),
    },
    tokenCheckMs: () => (database.isHearing() ? REALTIME_LIMITS.tokenCheckMs : REALTIME_LIMITS.unheardTokenCheckMs),
    takeJoins: (address, count) => addresses.takeJoins(address, count),
    takeBroadcasts: (address, count) => addresses.takeBroadcasts(address, count),
  };

  const onPresenceTrouble = (error: unknown) =>
    log.warn({ err: error }, 'Presences could not be looked after; it is tried again.');

  const stopListening = await Promise.all([
    database.listen('realtime_changes', {
      onPayload(payload) {
        const text = changeParts.read(payload);
        const change = text === null ? null : parseChange(text);
        if (change !== null) teller.take(change);
      },
      onGap() {
        changeParts.reset();
        restartReaders(null);
      },
    }),
    database.listen('realtime_broadcast', {
      onPayload(payload) {
        const text = broadcastParts.read(payload);
        if (text !== null) relay.deliver(text);
      },
      onGap() {
        broadcastParts.reset();
        restart((channel) => channel.wantsNoGap);
      },
    }),
    database.listen('realtime_presence', {
      onPayload(payload) {
        const text = presenceParts.read(payload);
        if (text !== null) presences.deliver(text);
      },
      onGap() {
        presenceParts.reset();
        presences.recover().catch(onPresenceTrouble);
      },
    }),
    database.listen('session_ended', {
      onPayload(sessionId) {
        for (const socket of sockets) socket.endSession(sessionId);
      },
    }),
    database.listen('account_access_changed', {
      onPayload(userId) {
        for (const socket of sockets) socket.checkAccount(userId);
      },
      onGap() {
        for (const socket of sockets) socket.checkAccount(null);
      },
    }),
  ]);
  const checks = setInterval(() => {
    for (const socket of sockets) socket.check(now());
    addresses.sweep();
  }, CHECK_EVERY_MS);
  checks.unref();
  const signsOfLife = setInterval(() => presences.showLife().catch(onPresenceTrouble), REALTIME_LIMITS.serverLifeMs);
  signsOfLife.unref();

  return {
    webSocketBounds: {
      maxPayload: REALTIME_LIMITS.frameBytes,
      maxFragments: REALTIME_LIMITS.fragmentsPerMessage,
      maxBufferedChunks: REALTIME_LIMITS.chunksPerFrame,
      closeTimeout: REALTIME_LIMITS.closeMs,
    },
    hasRoomFor: (clientAddress) =>
      !closing &&
      sockets.size < REALTIME_LIMITS.sockets &&
      addresses.socketsOf(clientAddress) < REALTIME_LIMITS.socketsPerAddress,
    broadcast: (broadcast) => relay.send(broadcast),
    takeBroadcasts: context.takeBroadcasts,
    takeJoins: context.takeJoins,
    open(options) {
      // A socket that was sent away counts until its connection has ended: it holds memory as long.
      const onGone = () => {
        if (sockets.delete(socket)) addresses.closed(socket.clientAddress);
      };
      const socket = new Socket({ ...options, context, onGone });
      sockets.add(socket);
      addresses.opened(socket.clientAddress);
      return socket;
    },
    async close() {
      if (closing) return;
      closing = true;
      clearInterval(checks);
      clearInterval(signsOfLife);
      const absent = presences.close().catch(onPresenceTrouble);
      for (const stop of stopListening) stop();
      const open = [...sockets];
      for (const socket of open) socket.close(1012, 'Service restart');
      const late = setTimeout(() => {
        for (const socket of open) socket.terminate();
      }, REALTIME_LIMITS.closeMs);
      await Promise.all([absent, ...open.map((socket) => socket.gone)]);
      clearTimeout(late);
    },
  };
}
