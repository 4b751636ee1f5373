import type { Server, ServerOptions } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { createAdaptorServer, type WebSocketServerLike } from '@hono/node-server';
import { WebSocketServer } from 'ws';
import { OperatorError } from '#server/operator-error.ts';
import { endStalledBodies } from './end-stalled-bodies.ts';
import { type Drain, followRequests } from './open-requests.ts';
import { AppResponse } from './response-headers.ts';

/** Limits of the WebSocket library per client. A client that exceeds one is disconnected. */
export interface WebSocketBounds {
  /** The largest message, in bytes. */
  readonly maxPayload: number;
  /** The most fragments of a message. */
  readonly maxFragments: number;
  /** The most chunks of a frame from the network. */
  readonly maxBufferedChunks: number;
  /** How long a client may take to complete the closing handshake, in milliseconds. */
  readonly closeTimeout: number;
}

/** An address to accept connections on. */
interface ListenAddress {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
}

export interface ListenOptions {
  readonly fetch: Parameters<typeof createAdaptorServer>[0]['fetch'];
  readonly from: ListenAddress;
  readonly webSocketBounds: WebSocketBounds;
  /** The most open connections in total. */
  readonly mostConnections?: number;
  /** The address by which connections are counted. Without it, only their total is limited. */
  readonly addressOf?: (socketAddress: string | undefined) => string;
  /** Whether connections of an address are closed at once. */
  readonly isCut?: (address: string) => boolean;
  /** Shorter timeouts for tests. */
  readonly bounds?: Partial<typeof BOUNDS> | undefined;
}

export interface Listener {
  readonly port: number;
  /**
   * Accepts no more connections, and no further request on open ones. Resolves when the last connection has ended;
   * those still open when their time is up are closed.
   */
  close(drain: Drain): Promise<void>;
}

/** Timeouts against slow clients and abandoned connections, in milliseconds. */
export const BOUNDS = {
  headersMs: 10_000,
  /** A body in which little arrives. See `endStalledBodies`. */
  bodyMs: 30_000,
  /** The whole request, with its body. */
  requestMs: 600_000,
  /** How often the timeouts above are checked. Node's default is 30 s. */
  lookEveryMs: 1_000,
  /** No traffic on the connection: between two requests, or while the client does not read the response. */
  idleMs: 65_000,
};
const MOST_HEADERS = 100;
const SWEEP_MS = 50;
/**
 * The part of the drain time during which idle connections stay open: a request may already be on its way on one, and
 * must not find it closed.
 */
const GRACE = 1 / 20;

/**
 * A request to upgrade to another protocol than WebSocket (such as `h2c`, which some clients send with every first
 * request) is handled as if it had not asked (RFC 9110, section 7.8). The adapter would otherwise never respond to it.
 */
const OPTIONS: ServerOptions = {
  // Otherwise the first of two Host headers would be used, while a proxy may have used the second. Joined, they are an
  // invalid host and are refused (RFC 9112, section 3.2).
  joinDuplicateHeaders: true,
  ServerResponse: AppResponse,
  shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
};

/** Limits on open connections. `docs/operate/limits.md` lists them. */
export const CONNECTIONS = { perAddress: 500 } as const;

/** Resolves once the server takes connections. Throws an OperatorError that names the unavailable port or host. */
export async function listen({
  fetch,
  from,
  webSocketBounds,
  mostConnections = Number.POSITIVE_INFINITY,
  addressOf = () => '',
  isCut = () => false,
  bounds,
}: ListenOptions): Promise<Listener> {
  const { headersMs, bodyMs, requestMs, idleMs, lookEveryMs } = { ...BOUNDS, ...bounds };
  // The adapter declares `noServer?: boolean`, while ws also allows undefined.
  const webSockets = new WebSocketServer({
    noServer: true,
    ...webSocketBounds,
  }) as unknown as WebSocketServerLike;
  const server = createAdaptorServer({
    fetch,
    // For requests of HTTP/1.0 without a Host header, such as those with which a load balancer looks whether it is alive.
    hostname: from.host,
    serverOptions: { ...OPTIONS, connectionsCheckingInterval: lookEveryMs },
    websocket: { server: webSockets },
    // Hono's server type includes HTTP/2; without createServer it is a plain HTTP server.
  }) as Server;
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  const stopEndingBodies = endStalledBodies(server, { periodMs: bodyMs, lookEveryMs });
  server.keepAliveTimeout = idleMs;
  // Also applies in the middle of a response: a client that does not read holds a file or memory. The WebSocket library
  // removes the timeout from upgraded sockets.
  server.timeout = idleMs;
  server.maxHeadersCount = MOST_HEADERS;

  // All connections: the server itself does not track upgraded ones.
  const sockets = new Set<Socket>();
  const counts = new Map<string, number>();
  let allClosed: () => void = () => undefined;
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket.remoteAddress);
    const count = counts.get(address) ?? 0;
    const isOneTooMany = address !== '' && (count >= CONNECTIONS.perAddress || isCut(address));
    // Before any byte is read.
    if (isOneTooMany || sockets.size >= mostConnections) {
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
      if (sockets.size === 0) allClosed();
    });
  });

  const requests = followRequests(server);
  const port = await listenOn(server, from);

  return {
    port,
    async close({ requestsMs, uploadsMs }) {
      requests.closeBehind();
      // The close method of net.Server: http.Server's own would close idle connections at once.
      NetServer.prototype.close.call(server);
      const closed = new Promise<void>((done) => {
        allClosed = done;
        if (sockets.size === 0) done();
      });
      const closingAt = performance.now();
      const sweep = () => {
        const ms = performance.now() - closingAt;
        if (ms >= requestsMs * GRACE) server.closeIdleConnections();
        if (ms < requestsMs) return;
        const kept = ms < uploadsMs ? requests.arriving(requestsMs) : new Set<Socket>();
        for (const socket of sockets) if (!kept.has(socket)) socket.destroy();
      };
      const sweeping = setInterval(sweep, SWEEP_MS);
      if (requestsMs === 0) sweep();
      await closed;
      clearInterval(sweeping);
      stopEndingBodies();
      // Already closed; this call stops the HTTP server's timer that checks timeouts.
      server.close();
    },
  };
}

/**
 * Resolves with the port when the server accepts connections.
 *
 * @throws OperatorError that names the port or host, where it is not available
 */
function listenOn(server: NetServer, { host, port }: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    // Also where a connection cannot be accepted later, for want of memory: the next one may be.
    server.on('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    // A server listening on a port has an AddressInfo.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
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
      return new OperatorError(`HOST must be an address of this machine; ${host} is not.`, { cause: error });
    default:
      return error;
  }
}
