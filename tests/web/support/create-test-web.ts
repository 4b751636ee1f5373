import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createLog } from '#server/create-log.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { createRateLimits } from '#server/http/postgres-rate-limits.ts';
import { requestContext } from '#server/http/request-context.ts';
import { type Database, openDatabase } from '#server/postgres/database.ts';
import { makeSecrets } from '#server/secrets.ts';
import { createWeb } from '#server/web/web.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface TestWeb {
  /** One request from a visitor, at an address that no other request of the run has unless it is given. */
  request(path: string, options?: TestRequest): Promise<Response>;
  /** A form as a browser posts it from a page of ours. */
  post(path: string, fields: Readonly<Record<string, string>>, options?: TestRequest): Promise<Response>;
  /** Serves a real browser until the file's tests are done; resolves with the origin. */
  listen(): Promise<string>;
}

interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  readonly address?: string;
}

export interface TestWebOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly now?: () => number;
  /** Stands between the pages and the database. */
  readonly around?: (database: Database) => Database;
}

let addresses = 0;

/** The pages on a real database, with the limits of a real service; built before (`npm run build`). */
export async function createTestWeb(
  test: TestDatabase,
  { environment = {}, now = Date.now, around = (database) => database }: TestWebOptions = {},
): Promise<TestWeb> {
  const config = readConfig({
    NODE_ENV: 'test',
    PUBLIC_URL: 'http://reunite.test',
    TRUSTED_PROXIES: '1',
    ...environment,
  });
  const database = around(openDatabase({ address: test.address, log: quietLog }));
  const web = await createWeb(
    {
      config,
      database,
      secrets: await makeSecrets(),
      delivery: catchDelivery(),
      limits: createRateLimits({ database }),
      now,
    },
    { root: ROOT, viteDevelopment: false, fetch: async () => new Response('There is no API here.', { status: 501 }) },
  );
  afterAll(async () => {
    await web.close();
    await database.close();
  });

  const app = new Hono<AppEnv>();
  const log = createLog({ level: 'silent' });
  app.use(requestContext({ log, trustedProxies: config.trustedProxies, now, accessLogLevel: 'debug' }));
  app.route('/', web.routes);

  const request: TestWeb['request'] = async (path, { method = 'GET', headers = {}, body, address } = {}) => {
    addresses += 1;
    const from = address ?? `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
    return app.request(`http://reunite.test${path}`, {
      method,
      headers: { 'X-Forwarded-For': from, Host: 'reunite.test', ...headers },
      // A stream has no end to wait for before it is sent: fetch wants that said.
      ...(body !== undefined && { body, duplex: 'half' }),
    } as RequestInit);
  };
  return {
    request,
    listen: () =>
      new Promise((ready) => {
        const server = serve({ fetch: app.fetch, port: 0, hostname: 'localhost' }, ({ port }: AddressInfo) =>
          ready(`http://localhost:${port}`),
        );
        afterAll(() => server.close());
      }),
    post: (path, fields, options = {}) =>
      request(path, {
        ...options,
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://reunite.test', ...options.headers },
      }),
  };
}
