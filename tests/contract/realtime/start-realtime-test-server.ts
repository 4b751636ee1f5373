import type { Server } from 'node:http';
import { serve, type WebSocketServerLike } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Hono } from 'hono';
import pino from 'pino';
import { WebSocketServer } from 'ws';
import { readConfig } from '#server/config.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { freePort } from '#server/free-port.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { requestContext } from '#server/http/request-context.ts';
import { type Database, openDatabase } from '#server/postgres/database.ts';
import { createRealtimeServer } from '#server/realtime/realtime-server.ts';
import { realtimeRoutes } from '#server/realtime/routes.ts';
import { makeSecrets, type Secrets } from '#server/secrets.ts';
import { createResolveCaller } from '#server/tokens/resolve-caller.ts';
import { openTokenKeys, type TokenKeys } from '#server/tokens/token-keys.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

/** One server process' realtime half on a port of its own, as `server/start-service.ts` puts it together. */
export interface RealtimeTestServer {
  readonly url: string;
  readonly secrets: Secrets;
  readonly tokens: TokenKeys;
  readonly database: Database;
  /** What it logged, one JSON line each. */
  readonly logged: string[];
  /** A signed-in client with an access token for `claims`; a visitor without. */
  client(token?: string): SupabaseClient;
  /** An access token such as the auth service gives out; `lifeSeconds` may be negative. */
  token(claims: Record<string, unknown>, lifeSeconds?: number): Promise<string>;
  /** Stops it as a restart does; its clients may come back. */
  stopKeepingClients(): Promise<void>;
  stop(): Promise<void>;
}

export interface RealtimeTestServerOptions {
  readonly secrets?: Secrets;
  readonly port?: number;
  readonly now?: () => number;
}

export async function startRealtimeTestServer(
  { address }: TestDatabase,
  { now = Date.now, ...options }: RealtimeTestServerOptions = {},
): Promise<RealtimeTestServer> {
  const port = options.port ?? (await freePort());
  const url = `http://localhost:${port}`;
  const config = readConfig({ PORT: String(port) });
  const secrets = options.secrets ?? (await makeSecrets());
  const tokens = await openTokenKeys({ jwtKeys: secrets.jwtKeys, issuer: `${url}/auth/v1`, now });
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => void logged.push(line) });
  const database = openDatabase({ address, log, development: true });
  // Realtime neither delivers nor counts.
  const dependencies = {
    config,
    secrets,
    database,
    tokens,
    resolveCaller: createResolveCaller({ tokens, ...secrets, now }),
    log,
    now,
  } as unknown as Dependencies;
  const realtime = await createRealtimeServer(dependencies);
  const app = new Hono<AppEnv>();
  app.use(requestContext({ log, trustedProxies: 0, now, accessLogLevel: 'info' }));
  app.route('/realtime/v1', realtimeRoutes(dependencies, realtime));
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: realtime.maxFrameBytes });
  const server = serve({
    fetch: app.fetch,
    port,
    hostname: 'localhost',
    websocket: { server: webSockets as unknown as WebSocketServerLike },
  }) as Server;
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const clients: SupabaseClient[] = [];
  const stopServer = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await realtime.close();
    server.closeAllConnections();
    await closed;
    await database.close();
  };

  return {
    url,
    secrets,
    tokens,
    database,
    logged,
    client(token) {
      const client = createClient(url, secrets.publishableKey, {
        ...(token === undefined ? {} : { accessToken: async () => token }),
        auth: { persistSession: false, autoRefreshToken: false },
      });
      clients.push(client);
      return client;
    },
    token(claims, lifeSeconds = 3600) {
      const seconds = Math.floor(now() / 1000);
      return tokens.sign({
        iss: tokens.issuer,
        aud: 'authenticated',
        role: 'authenticated',
        iat: seconds,
        exp: seconds + lifeSeconds,
        ...claims,
      });
    },
    stopKeepingClients: stopServer,
    async stop() {
      await Promise.all(clients.map((client) => client.realtime.disconnect()));
      await stopServer();
    },
  };
}
