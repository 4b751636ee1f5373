import type { Worker } from 'node:cluster';
import { createServer, type Socket } from 'node:net';
import { type ListenAddress, listenOn } from '#server/http/listen.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { WaitingConnections } from './waiting-connections.ts';

/** The most connections that wait for a process. */
export const MOST_WAITING = 2_000;
/** A process hangs where it has not confirmed a connection at this many looks. A suspended machine takes no looks. */
const HANGS_AFTER_LOOKS = 6;
const LOOK_EVERY_MS = 5_000;

/** A process that takes connections. */
interface Taker {
  readonly worker: Worker;
  /** The connection that was sent to it and that it has not confirmed. */
  unconfirmed: Socket | null;
  /** The looks since it was sent. */
  looks: number;
}

export interface PassConnectionsOptions extends ListenAddress {
  /** Is called with a process that has taken no connection for half a minute. */
  readonly onHang: (worker: Worker) => void;
}

export interface ConnectionPasser {
  readonly port: number;
  /** From now on the process gets connections in its turn. */
  add(worker: Worker): void;
  /** From now on it gets no more. */
  remove(worker: Worker): void;
  /** Accepts no more connections. */
  close(): void;
}

/**
 * Accepts connections at the address, and passes them on to the processes, in turns. A process gets the next one when it
 * has confirmed the one before, so one that hangs gets a single connection. What a process has not confirmed before it
 * ended goes to another. Connections wait while no process can take them. One address cannot shut out others: see
 * `WaitingConnections`.
 *
 * Node's `cluster` distributes connections too, but loses those that it sends to a process that is being killed: they
 * stay open without a response (https://github.com/nodejs/node/issues/3551 is of this kind).
 *
 * @throws OperatorError where the address is not available
 */
export async function passConnections({ onHang, ...address }: PassConnectionsOptions): Promise<ConnectionPasser> {
  const takers = new Set<Taker>();
  const waiting = new WaitingConnections(MOST_WAITING);

  const pass = () => {
    for (;;) {
      // The first one has waited longest: each that is given a connection goes to the end.
      const taker = [...takers].find(({ unconfirmed }) => unconfirmed === null);
      const socket = taker && waiting.next();
      if (taker === undefined || socket === undefined) return;
      takers.delete(taker);
      takers.add(taker);
      taker.unconfirmed = socket;
      taker.looks = 0;
      const message: ToWorker = { kind: 'connection' };
      // It stays open here until it is confirmed. A failure means that the process has ended.
      taker.worker.process.send(message, socket, { keepOpen: true }, () => undefined);
    }
  };
  const passAgain = (socket: Socket | null) => {
    if (socket !== null) waiting.putBack(socket);
    pass();
  };
  const remove = (worker: Worker) => {
    for (const taker of takers) if (taker.worker === worker) takers.delete(taker);
  };

  const server = createServer({ pauseOnConnect: true }, (socket) => {
    // The process that gets it sees the same error.
    socket.on('error', () => undefined);
    waiting.add(socket);
    pass();
  });
  const port = await listenOn(server, address);
  const looking = setInterval(() => {
    for (const taker of takers) {
      if (taker.unconfirmed === null) continue;
      taker.looks += 1;
      if (taker.looks >= HANGS_AFTER_LOOKS) onHang(taker.worker);
    }
  }, LOOK_EVERY_MS);

  return {
    port,
    add(worker) {
      // It ended in between.
      if (!worker.isConnected()) return;
      const taker: Taker = { worker, unconfirmed: null, looks: 0 };
      worker.on('message', (message: FromWorker) => {
        if (message.kind !== 'connection') return;
        const socket = taker.unconfirmed;
        taker.unconfirmed = null;
        if (message.taken) socket?.destroy();
        passAgain(message.taken ? null : socket);
      });
      // Comes after the last message of the process, so it has read nothing of what it has not confirmed by now. (Where
      // something is unconfirmed, there is no event `disconnect`.)
      worker.process.once('close', () => {
        remove(worker);
        passAgain(taker.unconfirmed);
      });
      takers.add(taker);
      pass();
    },
    remove,
    close() {
      clearInterval(looking);
      server.close();
      for (let socket = waiting.next(); socket !== undefined; socket = waiting.next()) socket.destroy();
    },
  };
}
