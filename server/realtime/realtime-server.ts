import type { Dependencies } from '#server/dependencies.ts';
import { AddressBook } from './address-book.ts';
import { ChangeReader } from './change.ts';
import type { Channel } from './channel.ts';
import { Gate } from './gate.ts';
import { REALTIME_LIMITS } from './limits.ts';
import { PublishedTables } from './published-tables.ts';
import type { RealtimeContext } from './realtime-context.ts';
import { Socket, type SocketOptions } from './socket.ts';
import { Subscribers } from './subscribers.ts';
import { ChangeTeller } from './tell-changes.ts';

/** The realtime half of one server process: its sockets, and the changes that it tells them. */
export interface RealtimeServer {
  /** What the WebSocket server must be given as its `maxPayload`. */
  readonly maxFrameBytes: number;
  /** Whether one more socket from this address is within the bounds. */
  hasRoomFor(clientAddress: string): boolean;
  open(options: Omit<SocketOptions, 'context'>): Socket;
  /** Sends every client away with 1012, on which it comes back by itself, and takes no more. */
  close(): Promise<void>;
}

const CHECK_EVERY_MS = 1_000;

/** Listens to the database's changes, and resolves once it does. */
export async function createRealtimeServer({
  database,
  resolveCaller,
  log,
  now,
}: Dependencies): Promise<RealtimeServer> {
  const sockets = new Set<Socket>();
  const addresses = new AddressBook(now);
  const subscribers = new Subscribers();
  const tables = new PublishedTables(database, now);
  const reader = new ChangeReader();
  let lastId = 0;
  let closing = false;

  const restart = (channels: Iterable<Channel> | null): void => {
    const affected = channels === null ? null : new Set(channels);
    for (const socket of sockets) {
      for (const channel of socket.channels) {
        if (affected === null ? channel.subscriptions.length > 0 : affected.has(channel)) socket.restart(channel);
      }
    }
  };
  const teller = new ChangeTeller({ database, tables, subscribers, log, onLost: restart });

  const context: RealtimeContext = {
    database,
    resolveCaller,
    log,
    now,
    tables,
    subscribers,
    nextId: () => {
      lastId += 1;
      return lastId;
    },
    gate: new Gate(REALTIME_LIMITS.joinsAtOnce),
    takeJoins: (address, count) => addresses.takeJoins(address, count),
    onClosed(socket) {
      if (sockets.delete(socket)) addresses.closed(socket.clientAddress);
    },
  };

  const stopListening = await Promise.all([
    database.listen('realtime_changes', {
      onPayload(payload) {
        const change = reader.read(payload);
        if (change !== null) teller.take(change);
      },
      onGap() {
        reader.reset();
        restart(null);
      },
    }),
    database.listen('session_ended', {
      onPayload(sessionId) {
        for (const socket of sockets) socket.endSession(sessionId);
      },
    }),
  ]);
  const checks = setInterval(() => {
    for (const socket of sockets) socket.check(now());
    addresses.sweep();
  }, CHECK_EVERY_MS);
  checks.unref();

  return {
    maxFrameBytes: REALTIME_LIMITS.frameBytes,
    hasRoomFor: (clientAddress) =>
      !closing &&
      sockets.size < REALTIME_LIMITS.sockets &&
      addresses.socketsOf(clientAddress) < REALTIME_LIMITS.socketsPerAddress,
    open(options) {
      const socket = new Socket({ ...options, context });
      sockets.add(socket);
      addresses.opened(socket.clientAddress);
      return socket;
    },
    async close() {
      if (closing) return;
      closing = true;
      clearInterval(checks);
      for (const stop of stopListening) stop();
      const open = [...sockets];
      for (const socket of open) socket.close(1012, 'Service restart');
      const late = setTimeout(() => {
        for (const socket of open) socket.terminate();
      }, REALTIME_LIMITS.closeMs);
      await Promise.all(open.map((socket) => socket.gone));
      clearTimeout(late);
    },
  };
}
