import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { assertProperty } from '#tests/support/long-runs.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import type { AccountModel } from './session-model/account-model.ts';
import { COMMANDS } from './session-model/commands.ts';
import { RealAccount } from './session-model/real-account.ts';

const database = await createTestDatabase();
const clock = holdTime();
const quick = (password: string) => createHash('sha256').update(password).digest('hex');
const server = await startTestServer(database, {
  clock,
  delivery: catchDelivery({ hasSms: false }),
  environment: { ACCESS_TOKEN_LIFE_SECONDS: '86400' },
  // Hashing would take most of the time and is not tested here.
  auth: {
    passwords: {
      hash: async (password) => quick(password),
      matches: async (password, hash) => quick(password) === hash,
      waiting: () => 0,
      findAmong: async (password, hashes) => hashes.find((hash) => quick(password) === hash),
    },
  },
});

test('any sequence of operations leaves one valid refresh token for each session, and no token above the level shown [B15]', async () => {
  const setUp = async () => {
    const owner = await registerOwner(server, { phone: '' });
    const { access_token: accessToken, refresh_token: refreshToken } = owner.session;
    const [row] = await database.query<{ id: string }>('select id from auth.sessions where user_id = $1', [
      owner.user.id,
    ]);
    const model: AccountModel = {
      password: owner.password,
      factor: null,
      sessions: [
        { id: row?.id ?? '', aal: 'aal1', refreshTokens: [refreshToken], raisedAt: null, accessToken, alive: true },
      ],
    };
    const real = new RealAccount({ id: owner.user.id, email: owner.email, clock, server, database });
    return { model, real };
  };
  await assertProperty(
    fc.asyncProperty(fc.commands(COMMANDS, { size: 'max', maxCommands: 25 }), async (commands) => {
      const started = await setUp();
      await fc.asyncModelRun(() => started, commands);
    }),
    { short: 5, long: 60, endOnFailure: false },
  );
});

test('simultaneous refreshes of one token leave one valid successor', async () => {
  const owner = await registerOwner(server, { phone: '' });
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => owner.client.auth.refreshSession({ refresh_token: owner.session.refresh_token })),
  );
  expect(new Set(responses.map(({ data }) => data.session?.refresh_token)).size).toBe(1);
  const [row] = await database.query<{ living: number }>(
    `select count(*)::int as living from auth.refresh_tokens as token
       join auth.sessions as session on session.id = token.session_id
       where session.user_id = $1 and token.revoked_at is null`,
    [owner.user.id],
  );
  expect(row?.living).toBe(1);
});
