import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Hono } from 'hono';
import pino from 'pino';
import { afterAll, vi } from 'vitest';
import { createPasswordHasher, type PasswordHasher } from '#server/auth/password-hasher.ts';
import { authRoutes } from '#server/auth/routes.ts';
import { type Config, readConfig } from '#server/config.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { apiCors } from '#server/http/cors.ts';
import { createRateLimits } from '#server/http/postgres-rate-limits.ts';
import { requestContext } from '#server/http/request-context.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { makeSecrets, type Secrets } from '#server/secrets.ts';
import { createResolveCaller } from '#server/tokens/resolve-caller.ts';
import { openTokenKeys } from '#server/tokens/token-keys.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';
import { type CapturedDelivery, captureDelivery } from './capture-delivery.ts';

export interface AuthServer {
  readonly url: string;
  readonly secrets: Secrets;
  readonly delivery: CapturedDelivery;
  readonly tokens: Dependencies['tokens'];
  /** What it logged, one line each. */
  readonly logged: string[];
  /** One entry for each password that was compared. */
  readonly comparisons: readonly object[];
  /** Set, it is waited for before a password is compared. */
  beforeComparing: ((password: string) => Promise<void>) | undefined;
  /** The official client, from a network address of its own. */
  client(address?: string): SupabaseClient;
  /** A bare call, from a network address of its own unless the headers say another. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire, looked at field by field
  readonly body: any;
}

export interface AuthServerOptions {
  readonly config?: Partial<Config>;
  readonly hasSms?: boolean;
  readonly secrets?: Secrets;
}

/**
 * The auth service on a port of its own, with production's limits and, unless told otherwise, without a development
 * code. It believes one proxy, so that every client of a test can have an address of its own. The clock stands still:
 * `passTime` moves it, for the server, its limits and the clients alike.
 */
export async function startAuthServer(
  { address }: TestDatabase,
  { config: changes = {}, hasSms = true, ...options }: AuthServerOptions = {},
): Promise<AuthServer> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const now = () => Date.now();
  const app = new Hono<AppEnv>();
  // Listens first: its own address is part of its configuration.
  const listener = serve({ fetch: app.fetch, port: 0, hostname: 'localhost' }) as Server;
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  const config: Config = {
    ...readConfig({ PORT: String(port), TRUSTED_PROXIES: '1' }),
    developmentCode: null,
    ...changes,
  };
  const secrets = options.secrets ?? (await makeSecrets());
  const tokens = await openTokenKeys({ jwtKeys: secrets.jwtKeys, issuer: `${url}/auth/v1`, now });
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => void logged.push(line) });
  const database = openDatabase({ address, log, development: true });
  const delivery = captureDelivery({ hasSms });
  const dependencies: Dependencies = {
    config,
    secrets,
    database,
    tokens,
    resolveCaller: createResolveCaller({ tokens, ...secrets, now }),
    delivery,
    limits: createRateLimits({ database }),
    log,
    now,
  };
  const comparisons: object[] = [];
  const hasher = createPasswordHasher();
  const passwords: PasswordHasher = {
    ...hasher,
    async matches(password, phc) {
      comparisons.push({});
      await server.beforeComparing?.(password);
      return hasher.matches(password, phc);
    },
  };
  app.use(requestContext({ log, trustedProxies: config.trustedProxies, now, accessLogLevel: 'info' }));
  app.use('/auth/v1/*', apiCors);
  app.route('/auth/v1', authRoutes(dependencies, { passwords, uniformAnswerMs: 120 }));
  afterAll(async () => {
    listener.closeAllConnections();
    await new Promise((closed) => listener.close(closed));
    await database.close();
    vi.useRealTimers();
  });

  const server: AuthServer = {
    url,
    secrets,
    delivery,
    tokens,
    logged,
    comparisons,
    beforeComparing: undefined,
    client: (address = anAddress()) =>
      createClient(url, secrets.publishableKey, {
        auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
        global: { headers: { 'X-Forwarded-For': address } },
      }),
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${url}/auth/v1${path}`, {
        method,
        headers: {
          'Content-Type': 'application/json',
          apikey: secrets.publishableKey,
          'X-Supabase-Api-Version': '2024-01-01',
          'X-Forwarded-For': anAddress(),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
    },
  };
  return server;
}

/** Moves the clock of the test, of the server in it, and of its limits. */
export function passTime(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/** One of 16 million addresses of a network that is nobody's (RFC 1918). */
export function anAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
}

export function anEmail(): string {
  return `owner-${randomBytes(6).toString('hex')}@example.com`;
}

/** A mobile number of a range that is valid. */
export function aPhone(): string {
  return `+97250${randomInt(1_000_000, 10_000_000)}`;
}
