import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Hono } from 'hono';
import pino from 'pino';
import { afterAll } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { apiCors } from '#server/http/cors.ts';
import { createMissLimit } from '#server/http/miss-limit.ts';
import { createRateLimits } from '#server/http/postgres-rate-limits.ts';
import { requestContext } from '#server/http/request-context.ts';
import type { Caller } from '#server/postgres/caller.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { restRoutes } from '#server/rest/routes.ts';
import { makeSecrets } from '#server/secrets.ts';
import { createResolveCaller } from '#server/tokens/resolve-caller.ts';
import { openTokenKeys } from '#server/tokens/token-keys.ts';
import { createReadTokenStanding } from '#server/tokens/token-standing.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire, looked at field by field
  readonly body: any;
}

interface CallInit {
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
  /** Whose access token the call carries; without one it is a visitor's. */
  readonly as?: Caller;
  readonly address?: string;
}

export interface RestServer {
  readonly url: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly logged: readonly string[];
  /** The official client: a visitor, or somebody with an access token, from a network address of its own. */
  client(caller?: Caller, address?: string): Promise<SupabaseClient>;
  /** The official client with the secret key. */
  service(): SupabaseClient;
  /** A bare call of `/rest/v1…`. */
  call(path: string, init?: CallInit): Promise<RestAnswer>;
  token(caller: Caller, lifeSeconds?: number): Promise<string>;
}

/** The data service on a port of its own, with production's limits. It believes one proxy. */
export async function startRestServer(
  { address }: TestDatabase,
  { environment = {} }: { environment?: Record<string, string> } = {},
): Promise<RestServer> {
  const app = new Hono<AppEnv>();
  const listener = serve({ fetch: app.fetch, port: 0, hostname: 'localhost' }) as Server;
  await once(listener, 'listening');
  // A TCP server has such an address.
  const { port } = listener.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  const config = readConfig({ PORT: String(port), TRUSTED_PROXIES: '1', ...environment });
  const secrets = await makeSecrets();
  const now = Date.now;
  const tokens = await openTokenKeys({ jwtKeys: secrets.jwtKeys, issuer: `${url}/auth/v1`, now });
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(line) });
  const database = openDatabase({ address, log });
  const limits = createRateLimits({ database });
  const dependencies: Dependencies = {
    config,
    secrets,
    database,
    tokens,
    resolveCaller: await createResolveCaller({
      tokens,
      ...secrets,
      now,
      // Starts without a database, too; so it remembers nothing.
      database: { listen: async () => () => undefined, isHearing: () => false },
      readStanding: createReadTokenStanding({ database, now }),
    }),
    // The data service delivers nothing.
    delivery: { hasSms: false, sendEmail: refuse, sendSms: refuse },
    limits,
    misses: createMissLimit({ limits, now }),
    log,
    now,
  };
  app.use(requestContext({ log, trustedProxies: config.trustedProxies, now, accessLogLevel: 'info' }));
  app.use('/rest/v1/*', apiCors);
  app.route('/rest/v1', restRoutes(dependencies));
  afterAll(async () => {
    listener.closeAllConnections();
    await new Promise((closed) => listener.close(closed));
    await database.close();
  });

  const token = (caller: Caller, lifeSeconds = 3600) => {
    const seconds = Math.floor(now() / 1000);
    return tokens.sign({
      iss: tokens.issuer,
      aud: 'authenticated',
      iat: seconds,
      exp: seconds + lifeSeconds,
      ...caller.claims,
    });
  };
  const open = (key: string, options: { accessToken?: string; address?: string } = {}) =>
    createClient(url, key, {
      ...(options.accessToken !== undefined && { accessToken: async () => options.accessToken ?? null }),
      auth: { persistSession: false, autoRefreshToken: false },
      global: { headers: { 'X-Forwarded-For': options.address ?? anAddress() } },
    });

  return {
    url,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    logged,
    client: async (caller, from = anAddress()) =>
      open(secrets.publishableKey, {
        address: from,
        ...(caller !== undefined && { accessToken: await token(caller) }),
      }),
    service: () => open(secrets.secretKey),
    token,
    async call(path, { method = 'GET', body, headers = {}, as, address: from = anAddress() } = {}) {
      const response = await fetch(`${url}/rest/v1${path}`, {
        method,
        headers: {
          apikey: secrets.publishableKey,
          'X-Forwarded-For': from,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(as !== undefined && { Authorization: `Bearer ${await token(as)}` }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) };
    },
  };
}

async function refuse(): Promise<never> {
  throw new Error('The data service sent something.');
}

/** One of 16 million addresses of a network that is nobody's (RFC 1918). */
export function anAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
}
