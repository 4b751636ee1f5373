import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { createRefreshTokens } from '#server/auth/sessions/refresh-token.ts';
import { purgeExpired } from '#server/jobs/upkeep/purge-expired.ts';
import { dependenciesForJobs } from '#tests/jobs/dependencies-for-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { enroll, setUpFactor } from './support/authenticator.ts';
import { type AuthResponse, callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

function refreshAt(asked: TestServer, token: string): Promise<AuthResponse> {
  return callAuth(asked, 'POST', '/token?grant_type=refresh_token', { refresh_token: token });
}

const refresh = (token: string) => refreshAt(server, token);

async function next(token: string): Promise<string> {
  const response = await refresh(token);
  expect(response.status).toBe(200);
  return response.body.refresh_token;
}

function livingTokens(userId: string): Promise<object[]> {
  return database.query(
    `select from auth.refresh_tokens as token join auth.sessions as session on session.id = token.session_id
       where session.user_id = $1 and token.revoked_at is null`,
    [userId],
  );
}

test('each refresh gives the next token of the same session', async () => {
  const { session, user } = await registerOwner(server);
  const second = await next(session.refresh_token);
  const third = await next(second);
  expect(new Set([session.refresh_token, second, third]).size).toBe(3);
  expect(await livingTokens(user.id)).toHaveLength(1);
});

const DAY = 86_400_000;

/** Does what the daily removal does with what was replaced more than a day ago. */
async function forgetReplacedTokens(userId: string): Promise<void> {
  await database.query(
    `delete from auth.refresh_tokens as token using auth.sessions as session
       where session.id = token.session_id and session.user_id = $1 and token.revoked_at is not null`,
    [userId],
  );
}

test('a session stores its current token and the one before, however often it is refreshed [K43]', async () => {
  const { session, user } = await registerOwner(server);
  let token = session.refresh_token;
  for (let refreshed = 0; refreshed < 5; refreshed += 1) token = await next(token);
  const stored = `select counter from auth.refresh_tokens
    where session_id in (select id from auth.sessions where user_id = $1) order by counter`;
  expect(await database.query(stored, [user.id])).toEqual([{ counter: 4 }, { counter: 5 }]);
});

test('a connection that breaks after the request was sent leaves a session that goes on', async () => {
  const { session, user } = await registerOwner(server);
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ refresh_token: session.refresh_token });
  const head = [
    'POST /auth/v1/token?grant_type=refresh_token HTTP/1.1',
    `Host: ${hostname}`,
    `apikey: ${server.secrets.publishableKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const line = connect(Number(port), hostname);
  line.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => line.destroy());
  const refreshed = 'select from auth.sessions where user_id = $1 and refreshed_at is not null';
  await expect.poll(async () => (await database.query(refreshed, [user.id])).length).toBe(1);
  clock.advance(12_000);
  await next(await next(session.refresh_token));
});

test('a token from before the second factor is good for ten seconds, and later ends the session', async () => {
  const { client, session } = await registerOwner(server);
  await setUpFactor(client, clock);
  expect(await refresh(session.refresh_token)).toMatchObject({
    status: 400,
    body: { code: 'refresh_token_already_used' },
  });

  const other = await registerOwner(server);
  const { factorId, code } = await enroll(other.client, clock);
  const { data } = await other.client.auth.mfa.challengeAndVerify({ factorId, code: code() });
  clock.advance(10_000);
  expect(await next(other.session.refresh_token)).toBe(data?.refresh_token);
});

test('the parent used after its child ends the session for every holder', async () => {
  const { session, user } = await registerOwner(server);
  const second = await next(await next(session.refresh_token));
  expect(await refresh(session.refresh_token)).toMatchObject({
    status: 400,
    body: { code: 'refresh_token_already_used', message: 'Invalid Refresh Token: Already Used' },
  });
  expect(await refresh(second)).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } });
  expect(await database.query('select from auth.sessions where user_id = $1', [user.id])).toEqual([]);
  const asUser = await callAuth(server, 'GET', '/user', undefined, { Authorization: `Bearer ${session.access_token}` });
  expect(asUser).toMatchObject({ status: 403, body: { code: 'session_not_found' } });
});

test('a grandparent ends the session even within ten seconds [B15]', async () => {
  const { session } = await registerOwner(server);
  const third = await next(await next(session.refresh_token));
  expect(await refresh(session.refresh_token)).toMatchObject({
    status: 400,
    body: { code: 'refresh_token_already_used' },
  });
  expect((await refresh(third)).status).toBe(400);
});

test('a replaced token that is no longer stored ends the session too', async () => {
  const { session, user } = await registerOwner(server);
  const third = await next(await next(session.refresh_token));
  await database.query(
    `update auth.refresh_tokens as token set revoked_at = revoked_at - interval '2 days'
       from auth.sessions as session where session.id = token.session_id and session.user_id = $1`,
    [user.id],
  );
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  await purgeExpired(dependencies);
  await dependencies.database.close();
  expect(
    await database.query(
      `select counter from auth.refresh_tokens as token join auth.sessions as session on session.id = token.session_id
         where session.user_id = $1`,
      [user.id],
    ),
  ).toEqual([{ counter: 2 }]);

  expect((await refresh(session.refresh_token)).body.code).toBe('refresh_token_already_used');
  expect((await refresh(third)).body.code).toBe('refresh_token_not_found');
});

test('one session ended for reuse leaves the others of the account alone', async () => {
  const { session, email, password } = await registerOwner(server);
  const other = await server.client().auth.signInWithPassword({ email, password });
  await next(await next(session.refresh_token));
  expect((await refresh(session.refresh_token)).status).toBe(400);
  await next(other.data.session?.refresh_token ?? '');
});

test('fifty simultaneous refreshes of one token return one valid successor', async () => {
  const { session, user } = await registerOwner(server);
  const responses = await Promise.all(Array.from({ length: 50 }, () => refresh(session.refresh_token)));
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1);
  expect(await livingTokens(user.id)).toHaveLength(1);
  await next(responses[0]?.body.refresh_token);
});

test('simultaneous refreshes of the parent and its child never leave two valid tokens [B15]', async () => {
  const { session, user } = await registerOwner(server);
  const second = await next(session.refresh_token);
  await Promise.all(Array.from({ length: 50 }, (_, at) => refresh(at % 2 === 0 ? session.refresh_token : second)));
  expect((await livingTokens(user.id)).length).toBeLessThanOrEqual(1);
});

test('a token that we did not sign is not found, whatever session it names', async () => {
  const { session, user } = await registerOwner(server);
  const [row] = await database.query<{ id: string }>('select id from auth.sessions where user_id = $1', [user.id]);
  const forged = createRefreshTokens('another secret of another server').make({ sessionId: row?.id ?? '', counter: 0 });
  expect(await refresh(forged)).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } });
  const own = createRefreshTokens(server.secrets.refreshTokenSecret);
  expect(await refresh(own.make({ sessionId: randomUUID(), counter: 0 }))).toMatchObject({
    body: { code: 'refresh_token_not_found' },
  });
  expect(await refresh(own.make({ sessionId: row?.id ?? '', counter: 7 }))).toMatchObject({
    body: { code: 'refresh_token_not_found' },
  });
  for (const mangled of [`${session.refresh_token}=`, ` ${session.refresh_token}`, session.refresh_token.slice(1)]) {
    expect(await refresh(mangled)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  }
  await next(session.refresh_token);
});

test('a banned account, a deleted account, and an expired session each get their own error', async () => {
  const [banned, deleted, expired] = [
    await registerOwner(server),
    await registerOwner(server),
    await registerOwner(server),
  ];
  await database.query("update auth.users set banned_until = 'infinity' where id = $1", [banned.user.id]);
  await database.query('update auth.users set deleted_at = now() where id = $1', [deleted.user.id]);
  await database.query('update auth.sessions set not_after = $2 where user_id = $1', [
    expired.user.id,
    new Date(Date.now() - 1),
  ]);
  expect((await refresh(banned.session.refresh_token)).body).toEqual({
    code: 'user_banned',
    message: 'Invalid Refresh Token: User Banned',
  });
  expect((await refresh(deleted.session.refresh_token)).body.code).toBe('session_not_found');
  expect((await refresh(expired.session.refresh_token)).body.code).toBe('session_expired');
  const signIn = await server.client().auth.signInWithPassword(banned);
  expect(signIn.error).toMatchObject({ status: 400, code: 'user_banned' });
  const asUser = await callAuth(server, 'GET', '/user', undefined, {
    Authorization: `Bearer ${banned.session.access_token}`,
  });
  expect(asUser).toMatchObject({ status: 403, body: { code: 'user_banned' } });
});

test.each([
  ['12 seconds', 12_000],
  ['two days', 2 * DAY],
  ['170 days', 170 * DAY],
])('a client whose response was lost gets the same token again, %s later, on any server [B15]', async (_, laterMs) => {
  const { session, user } = await registerOwner(server);
  const second = await next(session.refresh_token);
  clock.advance(laterMs);
  await forgetReplacedTokens(user.id);
  const another = await startTestServer(database, { clock, secrets: server.secrets });
  for (const asked of [server, another]) {
    const again = await refreshAt(asked, session.refresh_token);
    expect([again.status, again.body.refresh_token]).toEqual([200, second]);
    expect(decodeJwt(again.body.access_token).exp).toBe(Math.floor(clock.now() / 1000) + 3600);
  }
  expect(await livingTokens(user.id)).toHaveLength(1);
  await next(second);
});

test('a session ends after 180 days without use; each use counts [K37]', async () => {
  const { session, user } = await registerOwner(server);
  let token = session.refresh_token;
  for (const days of [179, 179, 179]) {
    clock.advance(days * DAY);
    token = await next(token);
  }
  clock.advance(180 * DAY);
  expect(await refresh(token)).toMatchObject({ status: 400, body: { code: 'session_expired' } });
  expect(await livingTokens(user.id), 'until the purge').toHaveLength(1);
});
