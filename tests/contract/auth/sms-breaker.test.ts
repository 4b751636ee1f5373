import { expect, test } from 'vitest';
import { purgeExpired } from '#server/jobs/purge-expired.ts';
import { dependenciesForJobs } from '#tests/jobs/dependencies-for-jobs.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

/** SMS to a number range are held back while too few of its codes are entered. */
const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Longer than a code's life. */
const LATER = 20 * MINUTE;

let ranges = 0;

/** A range that no other test uses, and numbers in it. */
function aRange() {
  ranges += 1;
  const range = `+97254${200 + ranges}`;
  let numbers = 0;
  return {
    range,
    number: () => {
      numbers += 1;
      return `${range}${1_000 + numbers}`;
    },
  };
}

type Range = ReturnType<typeof aRange>;

/** Signs up with a number. Returns the code's transport and a function that enters the code. */
async function signUp(phone: string, { on = server, address = anAddress() } = {}) {
  const email = anEmail();
  const [texts, mails] = [on.delivery.texts.length, on.delivery.emails.length];
  const body = { email, password: 'correct horse', data: { phone } };
  const { status } = await callAuth(on, 'POST', '/signup', body, { 'X-Forwarded-For': address });
  expect(status).toBe(200);
  const bySms = on.delivery.texts.slice(texts).some(({ to }) => to === phone);
  const byEmail = on.delivery.emails.slice(mails).some(({ to }) => to === email);
  expect(bySms, 'one way and not the other').toBe(!byEmail);
  const token = on.delivery.codeFor(bySms ? phone : email);
  return { bySms, type: () => callAuth(on, 'POST', '/verify', { type: 'signup', email, token }) };
}

/** Sends codes to the range, as many an hour as allowed, and enters `cameBack` of them. */
async function sendCodes({ number }: Range, count: number, cameBack = 0): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    if (at > 0 && at % 20 === 0) clock.advance(HOUR);
    const { bySms, type } = await signUp(number());
    expect(bySms, `code ${at + 1}`).toBe(true);
    if (at < cameBack) expect((await type()).status).toBe(200);
  }
  clock.advance(HOUR);
}

/** Fills the range in the database with codes that were not entered, and makes the service judge them. */
async function open({ range, number }: Range): Promise<void> {
  await database.query(
    `insert into auth.sms_ranges (number_range, sent_at, came_back)
       values ($1, array_fill($2::timestamptz, array[50]), array_fill(false, array[50]))
       on conflict (number_range) do update set sent_at = excluded.sent_at, came_back = excluded.came_back`,
    [range, new Date(clock.now() - HOUR)],
  );
  // Each one is an allowed trial, so these use up the trials of the hour.
  for (let trial = 0; trial < 3; trial += 1) await signUp(number());
  expect((await signUp(number())).bySms).toBe(false);
}

const linesAbout = ({ range }: Range, on: TestServer = server) =>
  on.logged.filter((line) => line.includes(`"${range}"`));
const bearerOf = ({ session }: RegisteredOwner) => ({ Authorization: `Bearer ${session.access_token}` });

test('with fewer than ten of the last fifty codes entered, the next one goes by email, and the operator’s log says so once', async () => {
  const range = aRange();
  await sendCodes(range, 50, 9);
  const next = await Promise.all(Array.from({ length: 6 }, () => signUp(range.number())));
  expect(
    next.filter(({ bySms }) => bySms),
    'trials',
  ).toHaveLength(3);
  for (const { bySms, type } of next) if (!bySms) expect((await type()).status, 'the mailed code').toBe(200);
  const lines = linesAbout(range).filter((line) => line.includes('held back'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"level":40');
  expect(server.logged.join('\n'), 'no number').not.toMatch(new RegExp(`\\${range.range}\\d`));
  expect((await signUp(aRange().number())).bySms, 'another range').toBe(true);
  const { data } = await server.client({ key: server.secrets.secretKey }).rpc('list_open_sms_ranges');
  expect(data, 'for the operator').toEqual([
    { number_range: range.range, open_since: expect.any(String), trials: 3, came_back: 0 },
  ]);
});

test('with ten of the last fifty codes entered, SMS are still sent', async () => {
  const range = aRange();
  await sendCodes(range, 50, 10);
  expect((await signUp(range.number())).bySms).toBe(true);
});

test('codes that are still valid, and codes that were not sent, do not count', async () => {
  const range = aRange();
  await sendCodes(range, 49);
  server.delivery.down = true;
  for (let at = 0; at < 5; at += 1) {
    const body = { email: anEmail(), password: 'correct horse', data: { phone: range.number() } };
    expect((await callAuth(server, 'POST', '/signup', body)).status).toBe(422);
  }
  server.delivery.down = false;
  clock.advance(HOUR);
  expect((await signUp(range.number())).bySms, 'the fiftieth').toBe(true);
  expect((await signUp(range.number())).bySms, 'while the fiftieth may be typed').toBe(true);
  clock.advance(LATER);
  await Promise.all(Array.from({ length: 3 }, () => signUp(range.number())));
  expect((await signUp(range.number())).bySms).toBe(false);
});

test('an account that has proved its number still gets SMS', async () => {
  const range = aRange();
  const owner = await registerOwner(server, { phone: range.number() });
  await open(range);
  clock.advance(MINUTE);
  const before = server.delivery.texts.length;
  for (let asked = 0; asked < 3; asked += 1) {
    await callAuth(server, 'POST', '/otp', { phone: owner.phone });
    clock.advance(MINUTE);
  }
  expect(server.delivery.texts.slice(before).map(({ to }) => to)).toEqual([owner.phone, owner.phone, owner.phone]);
  const token = server.delivery.codeFor(owner.phone);
  expect((await callAuth(server, 'POST', '/verify', { type: 'sms', phone: owner.phone, token })).status).toBe(200);
});

test('where no email can replace the SMS, the refusal suggests an alternative, and another number can be tried at once', async () => {
  const [range, other] = [aRange(), aRange()];
  await open(range);
  const owner = await registerOwner(server);
  const bearer = bearerOf(owner);
  const refused = await callAuth(server, 'PUT', '/user', { phone: range.number() }, bearer);
  expect(refused).toMatchObject({
    status: 429,
    body: {
      code: 'sms_held_back',
      message:
        'SMS to numbers like this one are held back at the moment. Use another number, or an email address or an authenticator app',
    },
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await callAuth(server, 'PUT', '/user', { phone: other.number() }, bearer)).status).toBe(200);

  const factor = { factor_type: 'phone', phone: range.number() };
  const enrolled = await callAuth(server, 'POST', '/factors', factor, bearer);
  const challenge = await callAuth(server, 'POST', `/factors/${enrolled.body.id}/challenge`, {}, bearer);
  expect(challenge).toMatchObject({ status: 429, body: { code: 'sms_held_back' } });
});

test('codes for a new number and for a new second factor count as sent and as entered', async () => {
  const range = aRange();
  const owner = await registerOwner(server);
  const [changed, factor] = [range.number(), range.number()];
  await owner.client.auth.updateUser({ phone: changed });
  const token = server.delivery.codeFor(changed);
  expect((await owner.client.auth.verifyOtp({ phone: changed, token, type: 'phone_change' })).error).toBeNull();
  const enrolled = await owner.client.auth.mfa.enroll({ factorType: 'phone', phone: factor });
  const factorId = enrolled.data?.id ?? '';
  const challenge = await owner.client.auth.mfa.challenge({ factorId });
  const challengeId = challenge.data?.id ?? '';
  const code = server.delivery.codeFor(factor);
  expect((await owner.client.auth.mfa.verify({ factorId, challengeId, code })).error).toBeNull();
  expect(await database.query('select came_back from auth.sms_ranges where number_range = $1', [range.range])).toEqual([
    { came_back: [true, true] },
  ]);
});

test('an open range stays open after a restart, for every server, and one of them logs it', async () => {
  const range = aRange();
  await open(range);
  const { secrets } = server;
  const [other, restarted] = await Promise.all([
    startTestServer(database, { clock, secrets }),
    startTestServer(database, { clock, secrets }),
  ]);
  for (const on of [other, restarted]) expect((await signUp(range.number(), { on })).bySms).toBe(false);
  const lines = [server, other, restarted].flatMap((on) => linesAbout(range, on));
  expect(lines.filter((line) => line.includes('held back'))).toHaveLength(1);
});

test('three trials an hour go out, one a day for an address, and five that come back of ten close the range', async () => {
  const range = aRange();
  await open(range);
  const stranger = anAddress();
  clock.advance(HOUR);
  const ofOne = [];
  for (let at = 0; at < 5; at += 1) ofOne.push((await signUp(range.number(), { address: stranger })).bySms);
  expect(ofOne, 'one address').toEqual([true, false, false, false, false]);

  let cameBack = 0;
  for (let hour = 0; hour < 2; hour += 1) {
    clock.advance(HOUR);
    const trials = await Promise.all(Array.from({ length: 4 }, () => signUp(range.number())));
    expect(trials.filter(({ bySms }) => bySms)).toHaveLength(3);
    for (const { bySms, type } of trials) {
      if (!bySms || cameBack === 5) continue;
      expect((await type()).status).toBe(200);
      cameBack += 1;
    }
  }
  expect(
    (
      await database.query('select from auth.sms_ranges where open_since is not null and number_range = $1', [
        range.range,
      ])
    ).length,
  ).toBe(1);
  for (let at = 0; at < 10; at += 1) expect((await signUp(range.number())).bySms, 'closed').toBe(true);
  expect(linesAbout(range).filter((line) => line.includes('go out again'))).toHaveLength(1);
});

test('an operator opens and closes a range: earlier codes no longer count', async () => {
  const range = aRange();
  const operator = server.client({ key: server.secrets.secretKey });
  const by = async (act: 'open_sms_range' | 'close_sms_range') =>
    (await operator.rpc(act, { range_param: range.range })).data;
  expect(await by('close_sms_range'), 'not open').toBe(false);
  expect(await by('open_sms_range')).toBe(true);
  expect(await by('open_sms_range'), 'open already').toBe(false);
  const trials = await Promise.all(Array.from({ length: 5 }, () => signUp(range.number())));
  expect(trials.filter(({ bySms }) => bySms)).toHaveLength(3);
  await database.query(
    `update auth.sms_ranges set sent_at = array_fill($2::timestamptz, array[50]),
         came_back = array_fill(false, array[50]) where number_range = $1`,
    [range.range, new Date(clock.now() - HOUR)],
  );
  expect(await by('close_sms_range')).toBe(true);
  expect(await by('close_sms_range'), 'closed already').toBe(false);
  for (let at = 0; at < 5; at += 1) expect((await signUp(range.number())).bySms, 'closed').toBe(true);
  for (const act of ['open_sms_range', 'close_sms_range']) {
    expect((await server.client().rpc(act, { range_param: range.range })).error, act).not.toBeNull();
  }
});

test('the record of a range is bounded, and removed after a week', async () => {
  const range = aRange();
  await database.query(
    `insert into auth.sms_ranges (number_range, sent_at, came_back)
       values ($1, array_fill($2::timestamptz, array[100]), array_fill(true, array[100]))`,
    [range.range, new Date(clock.now() - HOUR)],
  );
  const { type } = await signUp(range.number());
  await type();
  const kept =
    'select cardinality(sent_at) as codes, came_back[100] as newest from auth.sms_ranges where number_range = $1';
  expect(await database.query(kept, [range.range])).toEqual([{ codes: 100, newest: true }]);
  const old = aRange().range;
  await database.query(
    "insert into auth.sms_ranges (number_range, last_sent_at, open_since) values ($1, now() - interval '8 days', now())",
    [old],
  );
  const dependencies = dependenciesForJobs(database.address, server.delivery);
  await purgeExpired(dependencies);
  await dependencies.database.close();
  const rows = await database.query('select number_range from auth.sms_ranges where number_range = any($1)', [
    [range.range, old],
  ]);
  expect(rows).toEqual([{ number_range: range.range }]);
});

test('the response to a sign-up names the transport of its code, also when no SMS may be sent to the number', async () => {
  const [range, held] = [aRange(), aRange()];
  await open(held);
  for (const [phone, by] of [
    [range.number(), 'sms'],
    [held.number(), 'email'],
    // Premium, and a country that is not in the list.
    ['+19005550100', 'email'],
    ['+31612345678', 'email'],
  ] as const) {
    const { data, error } = await server.client().auth.signUp({
      email: anEmail(),
      password: 'correct horse',
      options: { data: { phone } },
    });
    expect(error).toBeNull();
    expect(data.user?.app_metadata, phone).toEqual({
      provider: 'email',
      providers: ['email'],
      confirmation_sent_by: by,
    });
  }
  const kept = await database.query("select from auth.users where raw_app_meta_data ? 'confirmation_sent_by'");
  expect(kept, 'it is said and not kept').toEqual([]);
});

test('a resend that no SMS may carry is refused only to the browser that registered', async () => {
  const range = aRange();
  const phone = range.number();
  const client = server.client();
  const email = anEmail();
  const registration = { email, password: 'correct horse', options: { data: { phone } } };
  expect((await client.auth.signUp(registration)).data.user?.app_metadata.confirmation_sent_by).toBe('sms');
  await open(range);
  clock.advance(LATER);
  const before = server.delivery.texts.length;
  expect(await callAuth(server, 'POST', '/resend', { type: 'signup', email })).toMatchObject({ status: 200, body: {} });
  clock.advance(MINUTE);
  expect((await client.auth.resend({ type: 'signup', email })).error).toMatchObject({ code: 'sms_held_back' });
  expect(server.delivery.texts.slice(before)).toEqual([]);

  // As the page says: a new registration gets its code by email.
  clock.advance(MINUTE);
  expect((await client.auth.signUp(registration)).data.user?.app_metadata.confirmation_sent_by).toBe('email');
  const token = server.delivery.codeFor(email);
  expect((await client.auth.verifyOtp({ email, token, type: 'signup' })).error).toBeNull();
});
