import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { developmentOutboxRoutes } from '#server/delivery/development/development-outbox-routes.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const { address } = await createTestDatabase();
const database = openDatabase({ address, log: quietLog, development: true });
afterAll(() => database.close());
const app = new Hono().route('/dev', developmentOutboxRoutes({ config: readConfig({}), database }));
const ask = (email: string) => app.request(`/dev/outbox/code?email=${email}`, { headers: { host: 'localhost:3000' } });

test.each(['%00', 'a%00@example.com', '%1B[0m', 'a%0Ab@example.com', `${'a'.repeat(243)}@example.com`])(
  'a malformed address is refused: %s',
  async (email) => {
    const response = await ask(email);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'No email address has such characters or such a length.' },
    ]);
  },
);

test.each(['a@example.com', 'J%C3%BCrgen@example.com', '%FF', `${'a'.repeat(242)}@example.com`])(
  'a well-formed address is looked up: %s',
  async (email) => expect((await ask(email)).status).toBe(404),
);
