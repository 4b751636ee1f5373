import { countSubscriptions } from './support/count-subscriptions.ts';
import { newPhone } from './support/register-owner.ts';
import { expect, newTagCode, test } from './support/test.ts';

// As people have it: with the worker of the offline page between the browser and every page.
test.use({ serviceWorkers: 'allow' });

test('a new user tags an item, and its finder reaches them', async ({ page, another, outbox }) => {
  const code = newTagCode();
  const email = `dana.${code.slice(4)}@example.com`.toLowerCase();
  const phone = newPhone();
  const subscriptions = countSubscriptions(page);

  // The owner scans a free sticker.
  await page.goto(`/${code}`);
  await expect(page).toHaveURL(new RegExp(`/auth/${code}`));
  await expect(page.getByText(`Creating an account to tag your item with QR code: ${code}`)).toBeVisible();

  // The page says that the item is not registered yet; the link makes the server check again.
  await expect(page.getByText('Found something with this sticker? It isn’t registered to anyone')).toBeVisible();
  await expect(page.getByRole('link', { name: 'check the sticker again later' })).toHaveAttribute('href', `/${code}`);

  await page.getByLabel('Full name').fill('Dana Levi');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Phone number').fill(phone);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Create Account' }).click();

  // Only the code that was sent is accepted.
  await expect(page.getByRole('heading', { name: 'Verify Your Account' })).toBeVisible();
  const sms = (await outbox()).find((entry) => entry.channel === 'sms' && entry.recipient === `+972${phone.slice(1)}`);
  const sent = /\b(\d{6})\b/.exec(sms?.body ?? '')?.[1] ?? '';
  expect(sent).toMatch(/^\d{6}$/);
  await expect(page.getByText(sent)).toBeVisible();
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type(sent);

  await expect(page.getByText('Verification successful!')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/item/${code}`));
  await expect(page.getByText('My Tagged Item')).toBeVisible();
  await expect.poll(subscriptions).toBe(1);
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  await expect(page.getByText('My Tagged Item')).toBeVisible();
  await expect.poll(subscriptions).toBe(2);

  // A finder scans it.
  const finder = await another();
  const scan = await finder.request.get(`/${code}`, { maxRedirects: 0 });
  expect(scan.status()).toBe(200);
  await finder.goto(`/${code}`);
  await expect(finder).toHaveURL(new RegExp(`/item/${code}`));
  await expect(finder.getByText('Dana', { exact: false }).first()).toBeVisible();
  const html = await finder.content();
  for (const secret of [/\bLevi\b/, email, phone.slice(1), 'correct horse']) expect(html).not.toMatch(secret);
  for (const channel of ['WhatsApp', 'Call', 'Email']) {
    await expect(finder.getByRole('button', { name: new RegExp(channel, 'i') })).toBeVisible();
  }

  await finder.getByRole('textbox').fill('I have your keys, they are at the front desk.');
  await finder.getByRole('button', { name: /send/i }).click();
  await expect(finder.getByText('Anonymous message sent to owner')).toBeVisible();

  // The open dashboard shows the message without a reload, and the outbox has it as an email.
  await expect(page.getByText('New message about My Tagged Item').first()).toBeVisible();
  await expect(page.getByRole('link', { name: /My Tagged Item/ })).toContainText('1 new message');
  const notices = async () =>
    (await outbox()).filter((entry) => entry.recipient === email && entry.subject === 'Someone found your item');
  await expect.poll(async () => (await notices()).length).toBe(1);
  const [notice] = await notices();
  // The address is not confirmed yet: the message itself waits in the account.
  expect(notice?.body).toContain('You have a new message in your Reunite account.');
  expect(notice?.body).not.toContain('I have your keys, they are at the front desk.');
});
