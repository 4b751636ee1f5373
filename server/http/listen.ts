import type { Server, ServerOptions, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { serve, type WebSocketServerLike } from '@hono/node-server';
import { WebSocketServer } from 'ws';
import { OperatorError } from '#server/operator-error.ts';
import { endStalledBodies } from './end-stalled-bodies.ts';
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

export interface ListenOptions {
  readonly fetch: Parameters<typeof serve>[0]['fetch'];
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
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
   * those still open after `drainMs` are closed.
   */
  close(drainMs: number): Promise<void>;
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

/** Resolves once the server listens. Throws an OperatorError that names the unavailable port or host. */
export async function listen({
  fetch,
  host,
  port,
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
  const server = serve({
    fetch,
    hostname: host,
    port,
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
  if (Number.isFinite(mostConnections)) server.maxConnections = mostConnections;
  // One of several processes would otherwise return a connection beyond that to the supervisor, to pass it on again. The
  // types omit it.
  Object.assign(server, { dropMaxConnection: true });

  // All connections: the server itself does not track upgraded ones.
  const sockets = new Set<Socket>();
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket.remoteAddress);
    const count = counts.get(address) ?? 0;
    // Before any byte is read.
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
  // A server listening on a port has an AddressInfo.
  const { port: chosen } = server.address() as AddressInfo;

  return {
    port: chosen,
    async close(drainMs) {
      closing = true;
      for (const response of answering) response.shouldKeepAlive = false;
      // The close method of net.Server: http.Server's own would close idle connections at once.
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
      stopEndingBodies();
      // Already closed; this call stops the HTTP server's timer that checks timeouts.
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
      return new OperatorError(`HOST must be an address of this machine; ${host} is not.`, { cause: error });
    default:
      return error;
  }
}
