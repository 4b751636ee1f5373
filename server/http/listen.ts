import type { Server, ServerOptions, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { serve, type WebSocketServerLike } from '@hono/node-server';
import { WebSocketServer } from 'ws';
import { OperatorError } from '#server/operator-error.ts';

/** What the WebSocket library holds each client to; one that goes beyond is cut off. */
export interface WebSocketBounds {
  /** Bytes of a message. */
  readonly maxPayload: number;
  /** Fragments of a message. */
  readonly maxFragments: number;
  /** Pieces in which a frame arrives from the network. */
  readonly maxBufferedChunks: number;
  /** Milliseconds that a client gets to answer a goodbye. */
  readonly closeTimeout: number;
}

export interface ListenOptions {
  readonly fetch: Parameters<typeof serve>[0]['fetch'];
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly webSocketBounds: WebSocketBounds;
  /** By which address connections are counted; without it they are counted all together alone. */
  readonly addressOf?: (socketAddress: string | undefined) => string;
  /** Whether connections of an address are ended at once. */
  readonly isCut?: (address: string) => boolean;
  /** A test has less time. */
  readonly bounds?: Partial<typeof BOUNDS> | undefined;
}

export interface Listener {
  readonly port: number;
  /**
   * Takes no more connections, and no second request on those that there are; resolves when the last one ended, or was
   * ended after `drainMs`.
   */
  close(drainMs: number): Promise<void>;
}

/** Bounds against slow clients and forgotten connections, in milliseconds. */
const BOUNDS = {
  headersMs: 10_000,
  /** The whole request, with its body. */
  requestMs: 30_000,
  /** Nothing passes over the connection: between two requests, or because nobody reads the answer. */
  idleMs: 65_000,
  /** How often the server looks for those beyond the first two; left to itself, every half minute. */
  lookEveryMs: 1_000,
};
const MOST_HEADERS = 100;
const SWEEP_MS = 50;
/**
 * The part of its time to stop in which the server leaves connections open that nothing is asked on: somebody's next
 * request may be on its way there, and whoever sends something is not to find the connection gone.
 */
const GRACE = 1 / 20;

/**
 * A request to go on with another protocol than WebSocket (`h2c`, by some clients on every first request) is answered as
 * if it had not asked for that (RFC 9110, section 7.8). Left to the adapter it would never be answered at all.
 */
const OPTIONS: ServerOptions = {
  // Else the first of two Host lines would count, where a proxy before us may have believed the second: together they are
  // no host, and are refused (RFC 9112, section 3.2).
  joinDuplicateHeaders: true,
  shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
};

/** Figures of open connections. `docs/operate/limits.md` names them. */
export const CONNECTIONS = { perAddress: 500, inAll: 25_000 } as const;

/** Resolves once the server listens. Throws an OperatorError that names the port or the host that cannot be had. */
export async function listen({
  fetch,
  host,
  port,
  webSocketBounds,
  addressOf = () => '',
  isCut = () => false,
  bounds,
}: ListenOptions): Promise<Listener> {
  const { headersMs, requestMs, idleMs, lookEveryMs } = { ...BOUNDS, ...bounds };
  // The adapter's type says `noServer?: boolean` where that of ws allows undefined too.
  const webSockets = new WebSocketServer({
    noServer: true,
    ...webSocketBounds,
  }) as unknown as WebSocketServerLike;
  const server = serve({
    fetch,
    hostname: host,
    port,
    serverOptions: { ...OPTIONS, connectionsCheckingInterval: lookEveryMs },
    websocket: { server: webSockets },
    // Hono's server type covers HTTP/2 too; without createServer it makes a plain HTTP server.
  }) as Server;
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.keepAliveTimeout = idleMs;
  // Also in the middle of an answer: what a client does not take holds a file, or a place in memory. The WebSocket library
  // lifts it from what becomes a socket of its own.
  server.timeout = idleMs;
  server.maxHeadersCount = MOST_HEADERS;
  server.maxConnections = CONNECTIONS.inAll;

  // All of them: the server itself forgets a connection that has changed its protocol.
  const sockets = new Set<Socket>();
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket.remoteAddress);
    const count = counts.get(address) ?? 0;
    // Before a byte of it is read.
    if (address !== '' && (count >= CONNECTIONS.perAddress || isCut(address))) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    counts.set(address, count + 1);
    socket.once('close', () => {
      sockets.delete(socket);
      const left = (counts.get(address) ?? 1) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
  });

  const answering = new Set<ServerResponse>();
  let closing = false;
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive &&= !closing;
    answering.add(response);
    response.once('close', () => answering.delete(response));
  });

  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
  });
  // A server that listens on a port has an address with one.
  const { port: chosen } = server.address() as AddressInfo;

  return {
    port: chosen,
    async close(drainMs) {
      closing = true;
      for (const response of answering) response.shouldKeepAlive = false;
      // That of the plain server: the HTTP server's own would end idle connections at once.
      const closed = new Promise<void>((done) => NetServer.prototype.close.call(server, () => done()));
      let sweep: NodeJS.Timeout | undefined;
      const grace = setTimeout(() => {
        server.closeIdleConnections();
        sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      }, drainMs * GRACE);
      const late = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, drainMs);
      await closed;
      clearTimeout(grace);
      clearInterval(sweep);
      clearTimeout(late);
      // It has closed; the HTTP server's own end stops it from looking after time limits.
      server.close();
    },
  };
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${port} is in use by another program. Stop that one, or choose another port: PORT=${port + 1} npm start`,
        { cause: error },
      );
    case 'EACCES':
      return new OperatorError(`Port ${port} may not be used by this account. Choose one above 1023 with PORT.`, {
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new OperatorError(`HOST must be an address of this machine; ${host} is none.`, { cause: error });
    default:
      return error;
  }
}
