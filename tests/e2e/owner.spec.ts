import { registerOwner } from './support/register-owner.ts';
import { expect, newTagCode, test } from './support/test.ts';

const password = 'three keys on a ribbon';

test('a form that is not filled in says what is missing, field by field', async ({ page }) => {
  await page.goto('/auth');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto('/auth?mode=register');
  await page.getByRole('button', { name: 'Create Account' }).click();
  for (const text of [
    'Full name is required',
    'Email is required',
    'Phone number is required',
    'Password is required',
  ]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
  await page.getByLabel('Password', { exact: true }).fill('12345');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
});

test('an owner logs out, logs in, and tags another thing', async ({ page }) => {
  const first = newTagCode();
  const email = `${first.slice(4).toLowerCase()}@example.com`;
  await registerOwner(page, first, email, password);

  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/auth/);

  // What was on the screen is not there for whoever comes next.
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/auth/);

  await page.goto('/auth?mode=login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard/);

  const second = newTagCode();
  await page.goto(`/${second}`);
  await expect(page).toHaveURL(new RegExp(`/item/${second}`));
  await page.getByRole('button', { name: /^Tag/ }).click();
  await expect(page.getByText('Please select an item type or enter a custom item name')).toBeVisible();
  await page.getByRole('radio', { name: 'Wallet' }).check();
  await page.getByRole('button', { name: /^Tag/ }).click();
  await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByRole('heading', { name: 'Wallet' })).toBeVisible();
});

test('a code that others have is a finder’s page, for somebody signed in too', async ({ page, another }) => {
  const theirs = newTagCode();
  await registerOwner(page, theirs, `${theirs.slice(4).toLowerCase()}@example.com`, password);
  const other = await another();
  const own = newTagCode();
  await registerOwner(other, own, `${own.slice(4).toLowerCase()}@example.com`, password);

  await other.goto(`/${theirs}`);
  await expect(other.getByRole('heading', { name: 'Contact Dana' })).toBeVisible();
  await expect(other.getByRole('button', { name: /WhatsApp/ })).toBeVisible();
  expect(await other.content()).not.toContain('501234567');
});

test('an address that leads nowhere says so with the status 404', async ({ page }) => {
  const answer = await page.request.get('/not-found');
  expect(answer.status()).toBe(404);
  expect((await page.request.get('/no/such/page')).status()).toBe(404);
});
