import { expect, test } from 'vitest';
import { takeSmsAllowance } from '#server/auth/codes/sms-allowance.ts';
import type { LimitName } from '#server/limits/limits.ts';
import { figuresOf } from '#server/limits/limits.ts';
import { createRateLimits } from '#server/limits/postgres-rate-limits.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { smsLimits } from '#server/settings/sms.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { keepingLog, quietLog } from '#tests/support/quiet-log.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });
const own = openDatabase({ address: database.address, log: quietLog });
whenDone(() => own.close());
const limits = createRateLimits({ database: own, log: quietLog });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const config = { smsCountries: 'all', testPhoneNumbers: new Map<string, string>() } as const;

const mayText = async (number: string, isProved = false) =>
  (await takeSmsAllowance({ limits, config, log: quietLog }, { number, isProved })).allowed;

/** Leaves `left` of a limit to take. */
async function useUp(name: LimitName, key: string, left = 0): Promise<void> {
  const { points } = figuresOf(name, false);
  await Promise.all(Array.from({ length: points - left }, () => limits.take(name, key)));
}

test('a number range gets twenty SMS an hour; proved numbers and other ranges are not affected', async () => {
  const responses = await Promise.all(Array.from({ length: 21 }, (_, at) => mayText(`+97250111${1000 + at}`)));
  expect(responses.filter((allowed) => allowed)).toHaveLength(20);
  expect(await mayText('+972501119998', true)).toBe(true);
  expect(await mayText('+972501120000')).toBe(true);
  clock.advance(HOUR);
  expect(await mayText('+972501119999')).toBe(true);
});

test('all SMS of a day have one budget, of which unproved numbers get half, and the operator is warned at 50 and 90 % [K6]', async () => {
  clock.advance(DAY);
  const log = keepingLog();
  const changed = smsLimits({ SMS_A_DAY: 20 });
  const budget = createRateLimits({ database: own, log, changed: new Map(changed) });
  const sent = async (number: string, isProved: boolean) =>
    (await takeSmsAllowance({ limits: budget, config, log: quietLog }, { number, isProved })).allowed;
  for (let at = 0; at < 10; at += 1) expect(await sent(`+4917612${300 + at}001`, false)).toBe(true);
  expect(await sent('+33639980002', false), 'half of it').toBe(false);
  for (let at = 0; at < 10; at += 1) expect(await sent('+33639980002', true), `proved ${at}`).toBe(true);
  expect(await sent('+33639980002', true), 'all of it').toBe(false);
  expect(log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toEqual([
    { limit: 'sms_a_day_to_unproved_numbers', used: 5, points: 10 },
    { limit: 'sms_a_day_to_unproved_numbers', used: 9, points: 10 },
    { limit: 'sms_a_day', used: 10, points: 20 },
    { limit: 'sms_a_day', used: 18, points: 20 },
  ]);
  clock.advance(DAY);
  expect(await sent('+33639980002', false), 'the next day').toBe(true);
});

test('where unproved numbers get no SMS, a sign-up goes by email, a change waits, and proved numbers are served [K6]', async () => {
  clock.advance(HOUR);
  const phone = '+393331234567';
  await registerOwner(server, { phone });
  const other = await registerOwner(server);
  const bearer = { Authorization: `Bearer ${other.session.access_token}` };
  const enrolled = await callAuth(server, 'POST', '/factors', { factor_type: 'phone', phone: '+393331234568' }, bearer);
  await useUp('sms_per_number_range', '+39333123');
  await useUp('sms_per_number_range', '+39333987');
  clock.advance(60_000);
  const before = server.delivery.texts.length;

  const email = anEmail();
  const signUp = { email, password: 'correct horse', data: { phone: '+393339876543' } };
  expect((await callAuth(server, 'POST', '/signup', signUp)).status).toBe(200);
  const token = server.delivery.codeFor(email);
  expect((await callAuth(server, 'POST', '/verify', { type: 'signup', email, token })).status).toBe(200);

  for (const response of [
    await callAuth(server, 'PUT', '/user', { phone: '+393339876542' }, bearer),
    await callAuth(server, 'POST', `/factors/${enrolled.body.id}/challenge`, {}, bearer),
  ]) {
    expect(response).toMatchObject({
      status: 429,
      body: {
        code: 'sms_held_back',
        message:
          'SMS to numbers like this one are held back at the moment. Use another number, or an email address or an authenticator app',
      },
    });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(server.delivery.texts.slice(before)).toEqual([]);
  expect(await callAuth(server, 'POST', '/otp', { phone })).toMatchObject({ status: 200, body: {} });
  expect(server.delivery.texts.slice(before).map(({ to }) => to)).toEqual([phone]);

  const reported = server.logged.filter((line) => line.includes('An SMS was held back'));
  expect(reported.length, 'the operator hears of it').toBe(3);
  expect(reported.join()).toContain('sms_per_number_range');
  expect(reported.join()).not.toContain('3933');
});

test('for numbers that get no SMS a sign-up goes by email, and everything else gets its own error [K6]', async () => {
  clock.advance(HOUR);
  const owner = await registerOwner(server);
  const bearer = { Authorization: `Bearer ${owner.session.access_token}` };
  for (const phone of ['+19005550100', '+449098790000', '+12423570000', '+881612345678', '+31612345678']) {
    const before = server.delivery.texts.length;
    const email = anEmail();
    expect(
      (await callAuth(server, 'POST', '/signup', { email, password: 'correct horse', data: { phone } })).status,
    ).toBe(200);
    expect(server.delivery.codeFor(email)).toMatch(/^\d{6}$/);
    for (const response of [
      await callAuth(server, 'PUT', '/user', { phone }, bearer),
      await callAuth(server, 'POST', '/factors', { factor_type: 'phone', phone }, bearer),
      await callAuth(server, 'POST', '/otp', { phone }),
      await callAuth(server, 'POST', '/resend', { type: 'sms', phone }),
    ]) {
      expect(response, phone).toMatchObject({ status: 422, body: { code: 'phone_not_supported' } });
    }
    expect(server.delivery.texts.slice(before)).toEqual([]);
  }
});

test('the response to a sign-up names the transport of its code, also when no SMS may be sent to the number', async () => {
  await useUp('sms_per_number_range', '+97254300');
  for (const [phone, by] of [
    ['+972543011001', 'sms'],
    ['+972543001001', 'email'],
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
  const phone = '+972543021001';
  const client = server.client();
  const email = anEmail();
  const registration = { email, password: 'correct horse', options: { data: { phone } } };
  expect((await client.auth.signUp(registration)).data.user?.app_metadata.confirmation_sent_by).toBe('sms');
  // Longer than a code's life.
  clock.advance(HOUR / 2);
  await useUp('sms_per_number_range', '+97254302', 1);
  const before = server.delivery.texts.length;
  expect(await callAuth(server, 'POST', '/resend', { type: 'signup', email })).toMatchObject({ status: 200, body: {} });
  clock.advance(60_000);
  expect((await client.auth.resend({ type: 'signup', email })).error).toMatchObject({ code: 'sms_held_back' });
  expect(server.delivery.texts.slice(before)).toEqual([]);

  // As the page says: a new registration gets its code by email.
  clock.advance(60_000);
  expect((await client.auth.signUp(registration)).data.user?.app_metadata.confirmation_sent_by).toBe('email');
  const token = server.delivery.codeFor(email);
  expect((await client.auth.verifyOtp({ email, token, type: 'signup' })).error).toBeNull();
});
