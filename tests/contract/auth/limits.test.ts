import { expect, test } from 'vitest';
import { figuresOf, LIMIT_NAMES } from '#server/limits/limits.ts';
import { createRateLimits } from '#server/limits/postgres-rate-limits.ts';
import { collectRefusals, policyOf } from '#server/limits/refused-by.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { layBreakableLine } from '#tests/support/breakable-line.ts';
import { withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { quickPasswords } from '#tests/support/quick-passwords.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { watchedHasher } from './support/watch-comparisons.ts';

const comparing = watchedHasher(quickPasswords);
const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { auth: { passwords: comparing }, clock });

const HOUR = 3_600_000;

function signIn(email: string, password: string, address: string) {
  return callAuth(server, 'POST', '/token?grant_type=password', { email, password }, { 'X-Forwarded-For': address });
}

test('after ten wrong passwords for one account from one address, the right one is refused too, and other accounts are not affected', async () => {
  const owner = await registerOwner(server);
  const address = anAddress();
  for (let failure = 1; failure <= 10; failure += 1)
    expect((await signIn(owner.email, 'wrong', address)).status).toBe(400);
  for (const password of ['wrong', owner.password]) {
    const response = await signIn(owner.email, password, address);
    expect(response).toMatchObject({
      status: 429,
      body: { code: 'over_request_rate_limit', message: 'Request rate limit reached' },
    });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    expect(response.headers.get('ratelimit-policy')).toContain('"sign_in_failures_per_account_and_address";q=10;w=900');
  }
  expect(server.logged.join('')).toMatch(/"status":429,.*"limits":\[.*"sign_in_failures_per_account_and_address"/);
  expect((await signIn(owner.email, owner.password, anAddress())).status, 'the owner elsewhere').toBe(200);
  clock.advance(15 * 60_000);
  expect((await signIn(owner.email, owner.password, address)).status, 'a quarter of an hour later').toBe(200);
});

test('an account that does not exist is limited like one that does', async () => {
  const address = anAddress();
  const email = anEmail();
  for (let failure = 1; failure <= 10; failure += 1) expect((await signIn(email, 'wrong', address)).status).toBe(400);
  expect((await signIn(email, 'wrong', address)).status).toBe(429);
});

test.each([
  ['may come in', null],
  ['is banned', 'infinity'],
])(
  'guesses under way count as failures until they are compared, also at an account that %s [A7]',
  async (_, bannedUntil) => {
    const owner = await registerOwner(server);
    await database.query('update auth.users set banned_until = $2 where id = $1', [owner.user.id, bannedUntil]);
    const address = anAddress();
    const held = Promise.withResolvers<void>();
    const begun = new Map(['late', owner.password].map((password) => [password, Promise.withResolvers<void>()]));
    comparing.before = async (password) => {
      const one = begun.get(password);
      one?.resolve();
      if (one !== undefined) await held.promise;
    };
    const guesses = [owner.password, 'late'].map((password) => signIn(owner.email, password, address));
    await Promise.all([...begun.values()].map(({ promise }) => promise));
    const wrong = async () => (await signIn(owner.email, 'wrong', address)).status;
    for (let failure = 1; failure <= 8; failure += 1) expect(await wrong()).toBe(400);
    expect(await wrong()).toBe(429);
    expect((await signIn(owner.email, owner.password, address)).status).toBe(429);
    comparing.before = undefined;
    held.resolve();
    const [right, late] = await Promise.all(guesses);
    expect(late?.status).toBe(400);
    expect(right?.status).toBe(bannedUntil === null ? 200 : 400);
    // The right one is given back.
    expect([await wrong(), await wrong()]).toEqual([400, 429]);
  },
);

test('after a hundred failures from all addresses, guesses at an account are refused for a day [A7]', async () => {
  const email = anEmail();
  for (let network = 0; network < 10; network += 1) {
    const address = anAddress();
    await Promise.all(Array.from({ length: 10 }, () => signIn(email, 'wrong', address)));
  }
  expect((await signIn(email, 'wrong', anAddress())).status).toBe(429);
  clock.advance(24 * HOUR);
  expect((await signIn(email, 'wrong', anAddress())).status).toBe(400);
});

test('the count uses the address that the trusted proxy reports, whatever headers a client sends [A10]', async () => {
  const address = anAddress();
  const email = anEmail();
  const attempts: Record<string, string>[] = [
    ...Array.from({ length: 10 }, () => ({ 'X-Forwarded-For': `${anAddress()}, ${address}` })),
    { 'X-Forwarded-For': `, ${address}`, 'X-Real-IP': anAddress(), Forwarded: `for=${anAddress()}` },
  ];
  const statuses = [];
  for (const headers of attempts) {
    statuses.push(
      (await callAuth(server, 'POST', '/token?grant_type=password', { email, password: 'wrong' }, headers)).status,
    );
  }
  expect(statuses).toEqual([...Array(10).fill(400), 429]);
});

test.each(['//token', '/token/', '/TOKEN', '/%74oken', '/token;x', '/./token'])(
  'another spelling of the path (%s) is either the same endpoint, counted, or none',
  async (path) => {
    const address = anAddress();
    const email = anEmail();
    for (let failure = 1; failure <= 10; failure += 1) await signIn(email, 'wrong', address);
    const response = await callAuth(
      server,
      'POST',
      `${path}?grant_type=password`,
      { email, password: 'wrong' },
      { 'X-Forwarded-For': address },
    );
    expect([404, 429]).toContain(response.status);
  },
);

test('one address can sign up twenty times an hour', async () => {
  const headers = { 'X-Forwarded-For': anAddress() };
  const statuses = [];
  for (let at = 0; at < 21; at += 1) {
    statuses.push(
      (await callAuth(server, 'POST', '/signup', { email: anEmail(), password: 'correct horse' }, headers)).status,
    );
  }
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
});

test('one address can request ten codes a day for one account; other addresses are not affected', async () => {
  const { email, phone } = { email: anEmail(), phone: aPhone() };
  await callAuth(server, 'POST', '/signup', { email, password: 'correct horse', data: { phone } });
  const from = { 'X-Forwarded-For': anAddress() };
  const resend = (headers = {}) => callAuth(server, 'POST', '/resend', { type: 'signup', email }, headers);
  for (let code = 1; code <= 10; code += 1) {
    clock.advance(30 * 60_000);
    expect((await resend(from)).status).toBe(200);
  }
  clock.advance(60_000);
  expect(await resend(from)).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
  expect((await resend()).status).toBe(200);
});

test('one phone gets five codes a day from all accounts; later ones go by email', async () => {
  const phone = aPhone();
  const emails = Array.from({ length: 6 }, () => anEmail());
  for (const email of emails) {
    const response = await callAuth(server, 'POST', '/signup', { email, password: 'correct horse', data: { phone } });
    expect(response.status).toBe(200);
  }
  expect(server.delivery.texts.filter(({ to }) => to === phone)).toHaveLength(5);
  const mailed = withCodes(server.delivery.emails).map(({ to }) => to);
  expect(emails.filter((email) => mailed.includes(email))).toEqual([emails[5]]);
});

test('one address can try sixty codes an hour', async () => {
  const headers = { 'X-Forwarded-For': anAddress() };
  const attempt = () =>
    callAuth(server, 'POST', '/verify', { type: 'signup', email: anEmail(), token: '000000' }, headers);
  const responses = await Promise.all(Array.from({ length: 70 }, attempt));
  expect(responses.filter(({ status }) => status === 403)).toHaveLength(60);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(10);
});

test('two servers on one database count together, also at the same moment', async () => {
  const databases = [0, 1].map(() => openDatabase({ address: database.address, log: quietLog }));
  const limits = databases.map((one) => createRateLimits({ database: one, log: quietLog }));
  const address = anAddress();
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, at) => limits[at % 2]?.take('check_user_exists', address)),
  );
  expect(responses.filter((response) => response?.allowed)).toHaveLength(10);
  expect(await limits[0]?.peek(['check_user_exists', address])).toMatchObject({ allowed: false });
  expect(await limits[0]?.peek(['check_user_exists', anAddress()])).toEqual({ allowed: true });
  await Promise.all(databases.map((one) => one.close()));
});

test('every limit names itself and its figures where it refuses', async () => {
  const one = openDatabase({ address: database.address, log: quietLog });
  const limits = createRateLimits({ database: one, log: quietLog });
  for (const name of LIMIT_NAMES) {
    const { points, seconds } = figuresOf(name, false);
    const key = anEmail();
    const [counter] = limits.peekAt([name, key]).keys;
    await database.query('insert into internal.rate_limits (key, points, expire) values ($1, $2, $3)', [
      counter,
      points,
      Date.now() + 60_000,
    ]);
    for (const ask of [() => limits.peek([name, key]), () => limits.take(name, key)]) {
      const refused = await collectRefusals(async () => {
        expect(await ask(), name).toMatchObject({ allowed: false });
      });
      expect(policyOf(refused)).toBe(`"${name}";q=${points};w=${seconds}`);
    }
  }
  await one.close();
});

test('a returned count can be taken again', async () => {
  const one = openDatabase({ address: database.address, log: quietLog });
  const limits = createRateLimits({ database: one, log: quietLog });
  const key = anEmail();
  expect(await limits.take('mail_gap_per_account', key)).toEqual({ allowed: true });
  expect(await limits.take('mail_gap_per_account', anEmail())).toEqual({ allowed: true });
  await limits.giveBack('mail_gap_per_account', key);
  expect(await limits.take('mail_gap_per_account', key)).toEqual({ allowed: true });
  expect(await limits.take('mail_gap_per_account', key)).toEqual({ allowed: false, retryAfterSeconds: 60 });
  await one.close();
});

test('where the counters are unreachable, the request is refused with 503', async () => {
  const unreachable = openDatabase({ address: { ...database.address, port: 1 }, log: quietLog });
  const limits = createRateLimits({ database: unreachable, log: quietLog });
  await expect(limits.take('auth_requests_per_address', anAddress())).rejects.toThrow();
  await expect(limits.peek(['auth_requests_per_address', anAddress()])).rejects.toThrow();
  await unreachable.close();

  const line = await layBreakableLine(database.address);
  const blind = await startTestServer(line, { auth: { passwords: comparing }, clock });
  await line.cut();
  const response = await callAuth(blind, 'POST', '/verify', { type: 'signup', email: anEmail(), token: '000000' });
  expect(response).toMatchObject({ status: 503, body: { code: 'request_timeout' } });
  expect(response.headers.get('retry-after')).toBe('2');
});

test('the table of counters contains no email or network address', async () => {
  const email = anEmail();
  const address = anAddress();
  await signIn(email, 'wrong', address);
  const dump = JSON.stringify(await database.query('select key from internal.rate_limits'));
  expect(dump).not.toContain(email);
  expect(dump).not.toContain(address);
});
