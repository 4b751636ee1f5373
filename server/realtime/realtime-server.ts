import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dependencies } from '#server/dependencies.ts';
import type { WebSocketBounds } from '#server/http/listen.ts';
import { FairQueue } from '#server/limits/fair-queue.ts';
import { HeldBytes } from '#server/limits/memory/held-bytes.ts';
import { createAllowance } from '#server/limits/token-bucket.ts';
import type { Broadcast } from './broadcast/broadcast.ts';
import { BroadcastRelay } from './broadcast/broadcast-relay.ts';
import { parseChange } from './changes/change.ts';
import { ChangeDispatcher } from './changes/change-dispatcher.ts';
import { FiltersOfCallers } from './changes/filters-of-callers.ts';
import { NotificationParts } from './changes/notification-parts.ts';
import { PublishedTables } from './changes/published-tables.ts';
import { Subscribers } from './changes/subscribers.ts';
import type { Channel } from './channels/channel.ts';
import { FanOut } from './channels/fan-out.ts';
import { Topics } from './channels/topics.ts';
import { REALTIME_LIMITS } from './limits.ts';
import { Presences } from './presence/presences.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { Socket, type SocketOptions } from './socket.ts';

/** The realtime service of one server process: its sockets and the delivery of changes to them. */
export interface RealtimeServer {
  /** Options for the WebSocket server. */
  readonly webSocketBounds: WebSocketBounds;
  /** Whether the limits allow one more socket from this address. */
  hasRoomFor(clientAddress: string): boolean;
  /** Sends broadcasts to every server. Resolves once PostgreSQL has accepted them: false if there is no room. */
  broadcast(broadcasts: readonly Broadcast[]): Promise<boolean>;
  /** Whether an address may send `count` more broadcasts. */
  takeBroadcasts(clientAddress: string, count: number): boolean;
  /** Whether it may check `count` more private topics. */
  takeJoins(clientAddress: string, count: number): boolean;
  open(options: Omit<SocketOptions, 'context' | 'onGone'>): Socket;
  /**
   * Accepts no more sockets, and closes each with 1012, after which its client reconnects. A few at a time over `spreadMs`,
   * so that not all clients come to the next server at once; until then each hears of every change.
   */
  close(spreadMs?: number): Promise<void>;
}

/** How many addresses have their allowances remembered. */
const MOST_ADDRESSES = 10_000;
const CHECK_EVERY_MS = 1_000;
const CLOSE_EVERY_MS = 100;

/** Starts the realtime service. Resolves once it listens to the database's changes. */
export async function createRealtimeServer({
  config,
  database,
  resolveCaller,
  callerMemory,
  metrics,
  log,
  now,
}: Dependencies): Promise<RealtimeServer> {
  const sockets = new Set<Socket>();
  const socketsOf = new Map<string, number>();
  const count = (address: string, change: 1 | -1): void => {
    const open = (socketsOf.get(address) ?? 0) + change;
    if (open === 0) socketsOf.delete(address);
    else socketsOf.set(address, open);
  };
  const subscribers = new Subscribers();
  const tables = new PublishedTables(database, now);
  const serverId = randomUUID();
  const topics = new Topics();
  const changeParts = new NotificationParts();
  const broadcastParts = new NotificationParts();
  const presenceParts = new NotificationParts();
  let lastId = 0;
  let closing = false;

  metrics.gauge({ name: 'reunite_sockets', help: 'Open WebSockets.' }, () => sockets.size);

  const restart = (isAffected: (channel: Channel) => boolean): void => {
    for (const socket of sockets) {
      for (const channel of socket.channels) if (isAffected(channel)) socket.restart(channel);
    }
  };
  const restartReaders = (channels: Iterable<Channel> | null): void => {
    const affected = channels === null ? null : new Set(channels);
    restart((channel) => (affected === null ? channel.subscriptions.length > 0 : affected.has(channel)));
  };
  // One for all kinds of messages: together they get the budget.
  const fanOut = new FanOut<Channel>();
  const presences = new Presences({
    database,
    topics,
    fanOut,
    log,
    serverId,
    onLost(channels) {
      const lost = new Set(channels);
      restart((channel) => lost.has(channel));
    },
  });
  const relay = new BroadcastRelay({
    database,
    topics,
    fanOut,
    onLost(channels) {
      const lost = new Set(channels);
      restart((channel) => channel.wantsNoGap && lost.has(channel));
    },
  });
  const dispatcher = new ChangeDispatcher({ database, tables, subscribers, fanOut, log, onLost: restartReaders });

  const { joinsPerSecond, joinBurst, broadcastsPerSecond, broadcastBurst } = REALTIME_LIMITS;
  const turns = new FairQueue({
    atOnce: REALTIME_LIMITS.joinsAtOnce,
    perHolder: REALTIME_LIMITS.joinsAtOncePerAccount,
  });
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
    filters: new FiltersOfCallers(),
    nextId: () => {
      lastId += 1;
      return lastId;
    },
    inTurn: (holder, work) => turns.run(holder, work),
    memory: {
      incoming: new HeldBytes(callerMemory.incoming),
      buffered: new HeldBytes(callerMemory.buffered),
      channels: new HeldBytes(callerMemory.channels),
    },
    tokenCheckMs: () => (database.isHearing() ? REALTIME_LIMITS.tokenCheckMs : REALTIME_LIMITS.unheardTokenCheckMs),
    takeJoins: createAllowance({ perSecond: joinsPerSecond, burst: joinBurst, mostKeys: MOST_ADDRESSES }, now),
    takeBroadcasts: createAllowance(
      { perSecond: broadcastsPerSecond, burst: broadcastBurst, mostKeys: MOST_ADDRESSES },
      now,
    ),
  };

  const onPresenceTrouble = (error: unknown) =>
    log.warn({ err: error }, 'The presence heartbeat failed; it will be retried.');

  const stopListening = await Promise.all([
    database.listen('realtime_changes', {
      onPayload(payload) {
        const text = changeParts.read(payload);
        const change = text === null ? null : parseChange(text);
        if (change !== null) dispatcher.take(change);
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
  }, CHECK_EVERY_MS);
  checks.unref();
  const heartbeats = setInterval(() => presences.showLife().catch(onPresenceTrouble), REALTIME_LIMITS.serverLifeMs);
  heartbeats.unref();

  return {
    webSocketBounds: {
      maxPayload: REALTIME_LIMITS.frameBytes,
      maxFragments: REALTIME_LIMITS.fragmentsPerMessage,
      maxBufferedChunks: REALTIME_LIMITS.chunksPerFrame,
      closeTimeout: REALTIME_LIMITS.closeMs,
    },
    hasRoomFor: (clientAddress) =>
      !closing &&
      sockets.size < callerMemory.sockets &&
      (socketsOf.get(clientAddress) ?? 0) < REALTIME_LIMITS.socketsPerAddress,
    broadcast: (broadcasts) => relay.send(broadcasts),
    takeBroadcasts: context.takeBroadcasts,
    takeJoins: context.takeJoins,
    open(options) {
      // A closed socket counts until its connection has ended, because it holds memory until then.
      const onGone = () => {
        if (sockets.delete(socket)) count(socket.clientAddress, -1);
      };
      const socket = new Socket({ ...options, context, onGone });
      sockets.add(socket);
      count(socket.clientAddress, 1);
      return socket;
    },
    async close(spreadMs = 0) {
      if (closing) return;
      closing = true;
      const open = [...sockets];
      const together = Math.ceil((open.length * CLOSE_EVERY_MS) / Math.max(1, spreadMs));
      for (let next = 0; next < open.length; next += together) {
        if (next > 0) await pause(CLOSE_EVERY_MS);
        for (const socket of open.slice(next, next + together)) socket.close(1012, 'Service restart');
      }
      clearInterval(checks);
      clearInterval(heartbeats);
      const absent = presences.close().catch(onPresenceTrouble);
      for (const stop of stopListening) stop();
      const late = setTimeout(() => {
        for (const socket of open) socket.terminate();
      }, REALTIME_LIMITS.closeMs);
      await Promise.all([absent, ...open.map((socket) => socket.gone)]);
      clearTimeout(late);
    },
  };
}
