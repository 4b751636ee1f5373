import { expect, test } from 'vitest';
import { takeRecipientAllowance } from '#server/auth/code-allowance.ts';
import type { LimitName } from '#server/http/limits.ts';
import { figuresOf } from '#server/http/limits.ts';
import { createRateLimits } from '#server/http/postgres-rate-limits.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { ANSWERING_SOONER } from './support/answer-sooner.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { auth: ANSWERING_SOONER, clock });
const own = openDatabase({ address: database.address, log: quietLog });
whenDone(() => own.close());
const limits = createRateLimits({ database: own });

const HOUR = 3_600_000;

const mayText = async (recipient: string) =>
  (await takeRecipientAllowance({ limits, log: quietLog }, { channel: 'sms', recipient })).allowed;

/** Leaves `left` of a limit to take. */
async function useUp(name: LimitName, key: string, left = 0): Promise<void> {
  const { points } = figuresOf(name, false);
  await Promise.all(Array.from({ length: points - left }, () => limits.take(name, key)));
}

test('sixty SMS an hour to numbers that differ in their last four digits; numbers elsewhere are still served', async () => {
  const answers = await Promise.all(Array.from({ length: 61 }, (_, at) => mayText(`+97250111${1000 + at}`)));
  expect(answers.filter((allowed) => allowed)).toHaveLength(60);
  expect(await mayText('+972501120000')).toBe(true);
  clock.advance(HOUR);
  expect(await mayText('+972501119999')).toBe(true);
});

test('a dial code that is used up holds up its own numbers and no others', async () => {
  await useUp('sms_per_dial_code', '44', 1);
  expect(await mayText('+447700900001')).toBe(true);
  expect(await mayText('+447911900002')).toBe(false);
  expect(await mayText('+33639980001')).toBe(true);
});

test('no more than the whole service may send, to whichever countries; mails go on', async () => {
  clock.advance(HOUR);
  await useUp('sms_from_everywhere', 'all', 1);
  expect(await mayText('+4915550000001')).toBe(true);
  expect(await mayText('+33639980002')).toBe(false);
  const mail = await takeRecipientAllowance({ limits, log: quietLog }, { channel: 'email', recipient: anEmail() });
  expect(mail.allowed).toBe(true);
});

test('every way to have an SMS sent stands under these limits, and none tells of an account', async () => {
  clock.advance(HOUR);
  const phone = '+390612345678';
  const owner = await registerOwner(server, { phone });
  const other = await registerOwner(server);
  const bearer = { Authorization: `Bearer ${other.session.access_token}` };
  const enrolled = await callAuth(server, 'POST', '/factors', { factor_type: 'phone', phone: '+390612345679' }, bearer);
  await useUp('sms_per_dial_code', '39');
  clock.advance(60_000);
  const before = server.delivery.texts.length;

  const answers = [
    await callAuth(server, 'POST', '/signup', {
      email: anEmail(),
      password: 'correct horse',
      data: { phone: '+390698765432' },
    }),
    await callAuth(server, 'PUT', '/user', { phone: '+390698765431' }, bearer),
    await callAuth(server, 'POST', `/factors/${enrolled.body.id}/challenge`, {}, bearer),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  for (const number of [phone, '+390611111111']) {
    expect(await callAuth(server, 'POST', '/otp', { phone: number })).toMatchObject({ status: 200, body: {} });
  }
  clock.advance(60_000);
  for (const number of [phone, '+390611111111']) {
    expect(await callAuth(server, 'POST', '/resend', { type: 'sms', phone: number })).toMatchObject({ status: 200 });
  }
  for (const email of [owner.email, anEmail()]) {
    expect(await callAuth(server, 'POST', '/recover', { email })).toMatchObject({ status: 200, body: {} });
  }
  expect(server.delivery.texts.slice(before)).toEqual([]);

  const told = server.logged.filter((line) => line.includes('An SMS was held back'));
  expect(told.length, 'the operator hears of it').toBeGreaterThanOrEqual(6);
  expect(told.join()).toContain('sms_per_dial_code');
  expect(told.join()).not.toContain('3906');
});
