import { expect, test } from 'vitest';
import { catchDelivery, codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { ANSWERING_SOONER } from './support/answer-sooner.ts';
import { callAuth } from './support/call-auth.ts';
import { ownLinkIn } from './support/link-in.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, {
  auth: ANSWERING_SOONER,
  clock,
  delivery: catchDelivery({ hasSms: false }),
  environment: { PHONE_AUTOCONFIRM: 'true', DOUBLE_CONFIRM_EMAIL_CHANGE: 'false' },
});

/** An owner whose address is proved, and who has read the mail that proved it. */
async function settledOwner() {
  const owner = await registerOwner(server, { phone: '' });
  await server.delivery.takeEmailTo(owner.email);
  clock.advance(60_000);
  return owner;
}

test('a changed password is told', async () => {
  const owner = await settledOwner();
  await owner.client.auth.updateUser({ password: 'another horse' });
  const mail = await server.delivery.takeEmailTo(owner.email);
  expect(mail.subject).toBe('Your Reunite password was changed');
  expect(mail.text).toContain(`${server.url}/auth?mode=reset`);
  expect(`${mail.text}${mail.html}`).not.toContain('another horse');
});

test('a changed address is told to the address before', async () => {
  const owner = await settledOwner();
  const newEmail = anEmail();
  await owner.client.auth.updateUser({ email: newEmail });
  const { tokenHash } = ownLinkIn(await server.delivery.takeEmailTo(newEmail));
  await owner.client.auth.verifyOtp({ type: 'email_change', token_hash: tokenHash });
  const mail = await server.delivery.takeEmailTo(owner.email);
  expect(mail.subject).toBe('Your Reunite address was changed');
  expect(`${mail.text}${mail.html}`, 'whoever reads it need not learn the new one').not.toContain(newEmail);
});

test('a changed number is told, a first one is not', async () => {
  const owner = await settledOwner();
  await owner.client.auth.updateUser({ phone: aPhone() });
  await owner.client.auth.updateUser({ phone: aPhone() });
  expect((await server.delivery.takeEmailTo(owner.email)).subject).toBe('Your Reunite phone number was changed');
  await owner.client.auth.updateUser({ password: 'another horse' });
  expect((await server.delivery.takeEmailTo(owner.email)).subject).toBe('Your Reunite password was changed');
});

test('a sign-in on a device that the account has not seen is told once, with what it was', async () => {
  const owner = await settledOwner();
  const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const credentials = { email: owner.email, password: owner.password };
  const first = await callAuth(server, 'POST', '/token?grant_type=password', credentials, headers);
  const mail = await server.delivery.takeEmailTo(owner.email);
  expect(mail.subject).toBe('New sign-in to your Reunite account');
  expect(mail.text).toMatch(/Firefox on Linux, \d{1,2} \w+ \d{4} at \d\d:\d\d in UTC\./);
  expect(mail.text).not.toMatch(/Mozilla|\d+\.\d+\.\d+\.\d+/);

  const Cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  await callAuth(server, 'POST', '/token?grant_type=password', credentials, { ...headers, Cookie });
  await server.client().auth.resetPasswordForEmail(owner.email);
  const next = await server.delivery.takeEmailTo(owner.email);
  expect(next.subject, 'the known device is not told of').toBe('Choose a new Reunite password');
  expect(codeIn(next)).toMatch(/^\d{6}$/);
});

test('no mail of the account fetches anything from anywhere', async () => {
  for (const { html = '', subject, text } of server.delivery.emails) {
    expect(html).not.toMatch(/<(img|link|script|iframe|object|video|audio|form|input)\b|url\(|@import|src=/i);
    expect(subject).not.toMatch(/\n|https?:|[!]{2}/);
    expect(html).toContain('prefers-color-scheme:dark');
    for (const [address] of `${text}${html}`.matchAll(/https?:\/\/[^\s"<]+/g)) {
      expect(address.startsWith(server.url), address).toBe(true);
    }
  }
});
