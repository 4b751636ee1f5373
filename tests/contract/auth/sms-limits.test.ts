import { expect, test } from 'vitest';
import { takeSmsAllowance } from '#server/auth/codes/sms-allowance.ts';
import type { LimitName } from '#server/limits/limits.ts';
import { figuresOf } from '#server/limits/limits.ts';
import { createRateLimits } from '#server/limits/postgres-rate-limits.ts';
import { openDatabase } from '#server/postgres/database.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
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
const limits = createRateLimits({ database: own });

const HOUR = 3_600_000;

const config = {
  smsCountries: 'all',
  testPhoneNumbers: new Map<string, string>(),
  codeLifeSeconds: 600,
  production: true,
} as const;
const alone: Transaction = { query: (statement) => own.asService(statement) };

const mayText = async (number: string, isProved = false) =>
  (await takeSmsAllowance({ limits, config, alone, log: quietLog, now: clock.now }, { number, isProved })).allowed;

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

test('an exhausted dial code delays only its own numbers', async () => {
  await useUp('sms_per_dial_code', '44', 1);
  expect(await mayText('+447700900001')).toBe(true);
  expect(await mayText('+447911900002')).toBe(false);
  expect(await mayText('+33639980001')).toBe(true);
});

test('the whole service has one bound for all countries; proved numbers are counted separately', async () => {
  clock.advance(HOUR);
  await useUp('sms_from_everywhere', 'all', 1);
  expect(await mayText('+4915550000001')).toBe(true);
  expect(await mayText('+33639980002')).toBe(false);
  expect(await mayText('+33639980002', true)).toBe(true);
  await useUp('sms_to_proved_numbers', 'all', 1);
  expect(await mayText('+33639980002', true)).toBe(false);
});

test('where unproved numbers get no SMS, a sign-up goes by email, a change waits, and proved numbers are served', async () => {
  clock.advance(HOUR);
  const phone = '+393331234567';
  await registerOwner(server, { phone });
  const other = await registerOwner(server);
  const bearer = { Authorization: `Bearer ${other.session.access_token}` };
  const enrolled = await callAuth(server, 'POST', '/factors', { factor_type: 'phone', phone: '+393331234568' }, bearer);
  await useUp('sms_per_dial_code', '39');
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
    expect(response).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(server.delivery.texts.slice(before)).toEqual([]);
  expect(await callAuth(server, 'POST', '/otp', { phone })).toMatchObject({ status: 200, body: {} });
  expect(server.delivery.texts.slice(before).map(({ to }) => to)).toEqual([phone]);

  const reported = server.logged.filter((line) => line.includes('An SMS was held back'));
  expect(reported.length, 'the operator hears of it').toBe(3);
  expect(reported.join()).toContain('sms_per_dial_code');
  expect(reported.join()).not.toContain('3933');
});

test('for numbers that get no SMS a sign-up goes by email, and everything else gets its own error', async () => {
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
