import { expect, test } from 'vitest';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { callAuth } from './support/call-auth.ts';
import { ownLinkIn } from './support/link-in.ts';
import { startAuthByMail } from './support/start-auth-by-mail.ts';

const { database, clock, server } = await startAuthByMail({
  PHONE_AUTOCONFIRM: 'true',
  DOUBLE_CONFIRM_EMAIL_CHANGE: 'false',
});

/** An owner whose address is proved, and who has read the mail that proved it. */
async function settledOwner() {
  const owner = await registerOwner(server, { phone: '' });
  await server.delivery.takeEmailTo(owner.email);
  clock.advance(60_000);
  return owner;
}

test('a changed password is announced by email', async () => {
  const owner = await settledOwner();
  await owner.client.auth.updateUser({ password: 'another horse' });
  const mail = await server.delivery.takeEmailTo(owner.email);
  expect(mail.subject).toBe('Your Reunite password was changed');
  expect(mail.text).toContain(`${server.url}/not-me/`);
  expect(`${mail.text}${mail.html}`).not.toContain('another horse');
});

test('a changed address is announced at the previous address', async () => {
  const owner = await settledOwner();
  const newEmail = anEmail();
  await owner.client.auth.updateUser({ email: newEmail });
  const { tokenHash } = ownLinkIn(await server.delivery.takeEmailTo(newEmail));
  await owner.client.auth.verifyOtp({ type: 'email_change', token_hash: tokenHash });
  const mail = await server.delivery.takeEmailTo(owner.email);
  expect(mail.subject).toBe('Your Reunite email was changed');
  expect(`${mail.text}${mail.html}`, 'whoever reads it need not learn the new one').not.toContain(newEmail);
});

test('a first number is announced, and so is a changed one', async () => {
  const owner = await settledOwner();
  for (const phone of [aPhone(), aPhone()]) {
    await owner.client.auth.updateUser({ phone });
    expect((await server.delivery.takeEmailTo(owner.email)).subject).toBe('Your Reunite phone number was changed');
  }
  await owner.client.auth.updateUser({ password: 'another horse' });
  expect((await server.delivery.takeEmailTo(owner.email)).subject).toBe('Your Reunite password was changed');
});

test('ten sign-ins on new devices a day are announced, however many there are [K26]', async () => {
  const owner = await settledOwner();
  const { email, password } = owner;
  const signIns = Array.from({ length: 15 }, () =>
    callAuth(server, 'POST', '/token?grant_type=password', { email, password }),
  );
  expect((await Promise.all(signIns)).map(({ status }) => status)).toEqual(Array(15).fill(200));
  await expect.poll(() => database.query('select from graphile_worker.jobs')).toEqual([]);
  const announced = server.delivery.emails.filter(
    ({ to, subject }) => to === email && subject.startsWith('New sign-in'),
  );
  expect(announced).toHaveLength(10);
});

test('a sign-in on a new device is announced once, with the device’s description', async () => {
  const owner = await settledOwner();
  const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const credentials = { email: owner.email, password: owner.password };
  const first = await callAuth(server, 'POST', '/token?grant_type=password', credentials, headers);
  const mail = await server.delivery.takeEmailTo(owner.email);
  expect(mail.subject).toBe('New sign-in to your Reunite account');
  expect(mail.text).toMatch(/Device: Firefox on Linux\n\nTime: \w+ \d{1,2}, \d{4} at \d{1,2}:\d\d\s[AP]M UTC\n/);
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
