import { Agent } from 'node:http';
import { resolve } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { inject } from 'vitest';
import type { AuthServiceOptions } from '#server/auth/auth-service.ts';
import { readConfig } from '#server/config.ts';
import type { OutboundClient } from '#server/delivery/outbound/outbound-client.ts';
import { createLog } from '#server/log/create-log.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { makeSecrets, type Secrets } from '#server/start/secrets.ts';
import { startService } from '#server/start/start-service.ts';
import type { TokenKeys } from '#server/tokens/token-keys.ts';
import { catchDelivery, type DeliveryCatcher } from './delivery-catcher.ts';
import { startInstallation } from './installation/start-installation.ts';
import { anAddress } from './network-address.ts';
import { ownPort } from './own-port.ts';
import { productionEnvironment } from './production-environment.ts';
import { quickPasswords } from './quick-passwords.ts';
import { type RequestOptions, sendRequest } from './send-request.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import type { TestDatabase } from './test-database.ts';
import { whenDone } from './when-done.ts';

export interface TestServerOptions {
  /** Variables of the configuration, over those of a production server behind one proxy. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Two servers on one database share them, as two of one installation do. */
  readonly secrets?: Secrets;
  /** The port of a stopped server, for restarting it. */
  readonly port?: number;
  /** Where uploaded files are; without one a folder that is gone with the test. */
  readonly dataDirectory?: string;
  readonly delivery?: DeliveryCatcher;
  /** Reaches URLs that clients give; by default only those of the internet. */
  readonly outbound?: OutboundClient;
  readonly clock?: TestClock;
  /**
   * The password hashing of the auth service, in place of `quickPasswords`, and the time of responses that must not
   * reveal anything by their timing; without it such a response is sent when its code has been.
   */
  readonly auth?: AuthServiceOptions;
}

interface ClientOptions {
  /** An access token; without one the client is a visitor's, or signs in by itself. */
  readonly token?: string;
  /** The secret key instead of the publishable one. */
  readonly key?: string;
  /** The network address that limits apply to; by default one that no other client in the file has. */
  readonly address?: string;
}

/** The whole service, listening on its own port. */
export interface TestServer {
  readonly url: string;
  readonly secrets: Secrets;
  readonly delivery: DeliveryCatcher;
  readonly clock: TestClock;
  /** Everything that it logged, one JSON line each. */
  readonly logged: readonly string[];
  /** The official client. */
  client(options?: ClientOptions): SupabaseClient;
  /** The cookies that a client's browser keeps for the auth service, as a `Cookie` header. */
  cookiesOf(client: SupabaseClient): string;
  /** Sends a plain request from `address`, or else from one that no other client in the file has. */
  request(path: string, options?: RequestOptions & { readonly address?: string }): Promise<Response>;
  /**
   * Returns an access token as issued by the auth service, with `claims` over its own. `lifeSeconds` may be negative.
   */
  token(claims: Readonly<Record<string, unknown>>, lifeSeconds?: number): Promise<string>;
  /** Stops it as a restart does: its clients are expected to reconnect. */
  stop(): Promise<void>;
}

interface Browser {
  readonly fetch: typeof fetch;
  /** A `Cookie` header. */
  readonly cookies: () => string;
}

/** As a browser does, keeps the cookies of the auth service, which knows the device by one. */
function createBrowser(): Browser {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    cookies,
    async fetch(input, init) {
      const request = new Request(input, init);
      const isOfAuth = new URL(request.url).pathname.startsWith('/auth/v1');
      if (isOfAuth && jar.size > 0) request.headers.set('Cookie', cookies());
      const response = await fetch(request);
      for (const set of response.headers.getSetCookie()) {
        const [pair = ''] = set.split(';');
        const [name = '', value = ''] = pair.split('=');
        if (isOfAuth) jar.set(name, value);
      }
      return response;
    },
  };
}

const ROOT = resolve(import.meta.dirname, '../..');

/** A service that listens, wherever it runs. */
interface Running {
  readonly url: string;
  readonly tokens: TokenKeys;
  readonly logged: readonly string[];
  /** `isLast` where nobody looks at it any more. */
  stop(isLast: boolean): Promise<void>;
}

type RunOptions = TestServerOptions &
  Required<Pick<TestServerOptions, 'environment' | 'secrets' | 'port' | 'dataDirectory' | 'delivery' | 'clock'>>;

async function runInThisProcess(
  address: PostgresAddress,
  { environment, secrets, port, dataDirectory, delivery, clock, outbound, auth }: RunOptions,
): Promise<Running> {
  const logged: string[] = [];
  const service = await startService({
    config: readConfig({ ...productionEnvironment({ port, secrets }), DATA_DIRECTORY: dataDirectory, ...environment }),
    log: createLog({ level: 'debug', destination: { write: (line) => void logged.push(line) } }),
    root: ROOT,
    address,
    secrets,
    delivery,
    ...(outbound !== undefined && { outbound }),
    now: clock.now,
    auth: { passwords: quickPasswords, uniformResponseMs: null, ...auth },
  });
  const { url, dependencies } = service;
  return {
    url,
    logged,
    tokens: dependencies.tokens,
    stop: () => service.stop({ requestsMs: 1_000, uploadsMs: 1_000 }),
  };
}

async function runInSeveralServers(
  database: PostgresAddress,
  pooler: PostgresAddress,
  { outbound, auth, ...options }: RunOptions,
): Promise<Running> {
  if (outbound !== undefined || auth !== undefined) {
    throw new Error('A file whose server has parts of its own cannot run on several servers.');
  }
  const installation = await startInstallation({ ...options, database, pooler });
  return {
    url: installation.url,
    tokens: installation.tokens,
    get logged() {
      return installation.logged;
    },
    stop: (isLast) => installation.end(isLast ? 'SIGKILL' : 'SIGTERM'),
  };
}

/**
 * Starts the whole service on a test database as a production server, except that deliveries are caught and the clock
 * is the test's. It trusts one proxy, so that each client in a test can have its own network address. It is stopped
 * when the test is done, or the file if started at its top; then the test fails if a 429 named no limit. The pages must be
 * built (`npm run build`).
 *
 * In the project `several-servers` it is three servers of two processes each behind HAProxy and PgBouncer.
 */
export async function startTestServer(
  { address: database }: Pick<TestDatabase, 'address'>,
  { environment = {}, delivery = catchDelivery(), clock = createTestClock(), ...options }: TestServerOptions = {},
): Promise<TestServer> {
  const secrets = options.secrets ?? (await makeSecrets());
  const port = options.port ?? (await ownPort());
  const dataDirectory = options.dataDirectory ?? (await temporaryFolder());
  const given = { ...options, environment, secrets, port, dataDirectory, delivery, clock };
  const pooler = inject('pooler');
  const running =
    pooler === undefined ? await runInThisProcess(database, given) : await runInSeveralServers(database, pooler, given);
  const { url, tokens } = running;
  const connections = new Agent({ keepAlive: true });
  const clients: SupabaseClient[] = [];
  const browsers = new Map<SupabaseClient, Browser>();
  let stopped: Promise<void> | undefined;
  const stop = (isLast = false) => {
    connections.destroy();
    stopped ??= running.stop(isLast);
    return stopped;
  };
  whenDone(async () => {
    await Promise.all(clients.map((client) => client.realtime.disconnect()));
    await stop(true);
    const unnamed = running.logged.find((line) => line.includes('"status":429') && !line.includes('"limits":["'));
    if (unnamed !== undefined) throw new Error(`A 429 names no limit: ${unnamed}`);
  });

  return {
    url,
    secrets,
    delivery,
    clock,
    get logged() {
      return running.logged;
    },
    stop: () => stop(),
    client({ token, key = secrets.publishableKey, address = anAddress() } = {}) {
      const browser = createBrowser();
      const client = createClient(url, key, {
        ...(token !== undefined && { accessToken: async () => token }),
        auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
        global: { headers: { 'X-Forwarded-For': address }, fetch: browser.fetch },
      });
      clients.push(client);
      browsers.set(client, browser);
      return client;
    },
    cookiesOf: (client) => browsers.get(client)?.cookies() ?? '',
    request: (path, { address = anAddress(), headers = {}, ...rest } = {}) =>
      sendRequest(url, path, { ...rest, headers: { 'X-Forwarded-For': address, ...headers } }, connections),
    async token(claims, lifeSeconds = 3600) {
      const seconds = Math.floor(clock.now() / 1000);
      return tokens.sign({
        iss: tokens.issuer,
        aud: 'authenticated',
        role: 'authenticated',
        iat: seconds,
        exp: seconds + lifeSeconds,
        ...claims,
      });
    },
  };
}
