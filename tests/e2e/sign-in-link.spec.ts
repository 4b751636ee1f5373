import { proveAddress } from './support/prove-address.ts';
import { expect, test } from './support/test.ts';

test.use({ refusals: [403] });

test('an owner without a password at hand signs in with an emailed link on another device, or with its code here', {
  tag: '@one-width',
}, async ({ page, another, outbox, newOwner, service }) => {
  const { email, session } = await newOwner();
  await proveAddress(service, session.user.id);
  const mails = async () =>
    (await outbox()).filter(({ recipient, body }) => recipient === email && body.includes('type=magiclink'));

  await page.goto('/auth?mode=login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Email me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in without a password' })).toBeVisible();
  // What was typed comes along.
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByText('If an account has confirmed')).toContainText(email);

  await expect.poll(async () => (await mails()).length).toBe(1);
  const [first] = await mails();
  expect(first?.body).toMatch(/Requested from: Chrome on \w+/);
  const { pathname, hash } = new URL(/https?:\/\/\S+type=magiclink/.exec(first?.body ?? '')?.[0] ?? '');

  // Mail programs fetch links, and so may the user, before the button is pressed.
  const other = await another();
  await other.goto(pathname + hash);
  await expect(other.getByText('Press the button to sign in.')).toBeVisible();
  await other.reload();
  await other.getByRole('button', { name: 'Confirm' }).click();
  await expect(other).toHaveURL(/\/dashboard/);
  await expect(other.getByText('Successfully signed in!')).toBeVisible();

  // The link was the code's other half.
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type(/\b\d{6}\b/.exec(first?.body ?? '')?.[0] ?? '');
  await expect(page.getByRole('alert')).toHaveText('Invalid verification code');

  await page.getByRole('button', { name: 'Send it again or change the email' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect.poll(async () => (await mails()).length).toBe(2);
  // The new code has a field of its own.
  await expect(page.getByLabel('Email')).toBeHidden();
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type(/\b\d{6}\b/.exec((await mails())[0]?.body ?? '')?.[0] ?? '');
  await expect(page).toHaveURL(/\/dashboard/);
});

test('the form for a link says the same of an address without an account, and one that is none is refused', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await page.goto('/auth?mode=link');
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await page.getByLabel('Email').fill('nobody-at-all@example.com');
  await page.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByText('If an account has confirmed')).toContainText('nobody-at-all@example.com');
});
