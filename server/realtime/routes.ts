import { upgradeWebSocket } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { WebSocket } from 'ws';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { noteRefusal } from '#server/limits/refused-by.ts';
import { broadcastRoutes } from './broadcast-routes.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { RealtimeServer } from './realtime-server.ts';
import type { Socket } from './socket.ts';
import { isOwnOrigin } from './wire/check-origin.ts';
import type { ProtocolVersion } from './wire/frames.ts';
import { tokenRefusal } from './wire/realtime-errors.ts';
import { refuseHandshake } from './wire/refuse-handshake.ts';

export type { RealtimeServer } from './realtime-server.ts';

/** `/realtime/v1`: the WebSocket, and broadcasts over HTTP. */
export function realtimeRoutes(dependencies: Dependencies, realtime: RealtimeServer): Hono<AppEnv> {
  const { config, resolveCaller, now } = dependencies;
  const app = new Hono<AppEnv>();

  app.get('/websocket', async (c) => {
    if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
      return refuseHandshake(c, 426, 'This address speaks WebSocket');
    }
    if (!isOwnOrigin(c.req.header('origin'), c.req.header('host'), config)) {
      return refuseHandshake(c, 403, 'Pages of this origin may not connect');
    }
    const key = c.req.query('apikey') || c.req.header('x-api-key') || c.req.header('apikey') || '';
    if (key === '') return refuseHandshake(c, 401, 'API key is missing');
    const resolved = await resolveCaller(null, key);
    if (!resolved.ok) {
      const { message } = tokenRefusal(resolved, now());
      return refuseHandshake(c, 401, resolved.reason === 'expired' ? 'Token has expired' : message);
    }
    const clientAddress = c.get('clientAddress');
    if (!realtime.hasRoomFor(clientAddress)) {
      noteRefusal({ name: 'sockets_per_address', points: REALTIME_LIMITS.socketsPerAddress });
      return refuseHandshake(c, 429, 'Too many connected users');
    }
    return open(c, realtime, {
      version: c.req.query('vsn') === '2.0.0' ? '2.0.0' : '1.0.0',
      clientAddress,
      identity: { caller: resolved.caller, token: resolved.token },
    });
  });

  app.route('/api', broadcastRoutes(dependencies, realtime));
  app.all('/websocket', (c) => c.json({ error: 'Method not allowed' }, 405, { Allow: 'GET' }));
  // Hono does not call a mounted app's own `notFound`.
  app.all('*', (c) => c.json({ error: 'Not found' }, 404));
  app.onError((error, c) => {
    c.get('log').error({ err: error }, 'A realtime request failed.');
    return c.json({ error: 'Internal server error' }, 500);
  });
  return app;
}

interface Opening {
  readonly version: ProtocolVersion;
  readonly clientAddress: string;
  readonly identity: Parameters<RealtimeServer['open']>[0]['identity'];
}

function open(c: Context<AppEnv>, realtime: RealtimeServer, opening: Opening): Promise<Response> {
  const log = c.get('log');
  let socket: Socket | undefined;
  return upgradeWebSocket(
    c,
    {
      onOpen(_event, { raw }) {
        // The adapter's type is narrower than its value, which is the ws library's socket.
        if (!(raw instanceof WebSocket)) throw new Error('The WebSocket server is not that of the ws library.');
        if (!realtime.hasRoomFor(opening.clientAddress)) {
          raw.close(1013, 'Too many connected users');
          return;
        }
        // The ws library replies to each ping, so pings count against the message limit.
        raw.on('ping', () => socket?.count());
        raw.on('pong', () => socket?.count());
        socket = realtime.open({
          ...opening,
          wire: {
            send: (message) => raw.send(message),
            close: (code, reason) => raw.close(code, reason),
            terminate: () => raw.terminate(),
            bufferedBytes: () => raw.bufferedAmount,
          },
        });
        // Added after the listener of the ws library, so that a complete message has already been delivered.
        c.env.incoming?.socket.on('data', (chunk: Buffer) => socket?.measure(chunk));
      },
      onMessage({ data }) {
        if (typeof data === 'string' || data instanceof ArrayBuffer) socket?.receive(data);
      },
      onClose: () => socket?.onGone(),
      // A malformed frame; ws closes the connection itself.
      onError: () => undefined,
    },
    { onError: (error) => log.error({ err: error }, 'A realtime socket failed.') },
  );
}
