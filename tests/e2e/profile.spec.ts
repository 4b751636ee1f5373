import { newPhone, registerOwner } from './support/register-owner.ts';
import { expect, newTagCode, test } from './support/test.ts';

test.use({ refusals: [400, 401, 403, 422, 503] });

const password = 'a kettle full of stars';

test('a profile is shown, edited, given up and saved, and the service has it', async ({ page, another }) => {
  const code = newTagCode();
  const email = `${code.slice(4).toLowerCase()}@example.com`;
  await registerOwner(page, code, email, password);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Your Profile' })).toBeVisible();
  const details = page.locator('dl');
  await expect(details).toContainText('Dana Levi');
  await expect(details).toContainText(email);
  await expect(details).toContainText('+972501234567');
  await expect(details).toContainText('Verified');
  await expect(page.getByText('Tagged items').locator('..')).toContainText('1');

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByLabel('Full name')).toBeFocused();
  // The number is proved, so it is not among what is edited here.
  await expect(page.getByRole('textbox')).toHaveCount(2);
  await page.getByLabel('Full name').fill('Somebody Else');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(details).toContainText('Dana Levi');

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full name').fill(' ');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Full name is required')).toBeVisible();
  await page.getByLabel('Full name').fill('Noa Bar');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile updated!', { exact: true })).toBeVisible();
  await page.reload();
  await expect(details).toContainText('Noa Bar');

  // A finder reads the new first name, and none of the rest.
  const finder = await another();
  await finder.goto(`/item/${code}`);
  await expect(finder.getByRole('heading', { name: 'Contact Noa' })).toBeVisible();

  // A way that is closed for the account is closed for its items.
  await page.getByRole('switch', { name: 'WhatsApp' }).click();
  await expect(page.getByRole('switch', { name: 'WhatsApp' })).not.toBeChecked();
  await expect(async () => {
    await finder.reload();
    await expect(finder.getByRole('button', { name: /WhatsApp/ })).toHaveCount(0, { timeout: 500 });
  }).toPass();

  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/profile');
  await expect(page).toHaveURL(/\/auth/);
});

test('a change that the server cannot be told is kept, and sent once it can', async ({ page, context }) => {
  const code = newTagCode();
  await registerOwner(page, code, `${code.slice(4).toLowerCase()}@example.com`, password);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full name').fill('Noa Bar');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile updated! (Not yet saved to backend)')).toBeVisible();
  await expect(page.locator('dl')).toContainText('Noa Bar');
  await expect(page.getByText(/are kept in this browser/)).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByText('Profile updated!', { exact: true })).toBeVisible();
  await expect(page.getByText(/are kept in this browser/)).toBeHidden();
  await page.evaluate(() => localStorage.removeItem('reunite_profile_change'));
  await page.reload();
  await expect(page.locator('dl')).toContainText('Noa Bar');
});

test('a gateway in place of the server keeps the change as well, over a reload', async ({ page }) => {
  const code = newTagCode();
  await registerOwner(page, code, `${code.slice(4).toLowerCase()}@example.com`, password);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full name').fill('Noa Bar');
  await page.route('**/rest/v1/profiles**', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile updated! (Not yet saved to backend)')).toBeVisible();
  await page.unroute('**/rest/v1/profiles**');
  await page.reload();
  await expect(page.getByText('Profile updated!', { exact: true })).toBeVisible();
  await expect(page.locator('dl')).toContainText('Noa Bar');
});

test('a session that was ended elsewhere is missed when something is saved', async ({ page, service }) => {
  const code = newTagCode();
  const email = `${code.slice(4).toLowerCase()}@example.com`;
  await registerOwner(page, code, email, password);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full name').fill('Noa Bar');

  // The same person, at another place, signs out everywhere.
  const key = await page.locator('meta[name="public-config"]').getAttribute('content');
  const { publishableKey } = JSON.parse(key ?? '{}') as { publishableKey: string };
  const headers = { apikey: publishableKey, 'Content-Type': 'application/json' };
  const signedIn = await fetch(`${service.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const ended = await fetch(`${service.url}/auth/v1/logout?scope=global`, {
    method: 'POST',
    headers: { ...headers, Authorization: `Bearer ${token}` },
  });
  expect(ended.status).toBe(204);

  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Auth session missing!')).toBeVisible();
  await expect(page).toHaveURL(/\/auth/);
});

test('a new address takes effect when its link is followed, and no earlier', async ({ page, outbox }) => {
  const code = newTagCode();
  const email = `${code.slice(4).toLowerCase()}@example.com`;
  const newEmail = `new.${email}`;
  await registerOwner(page, code, email, password);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Email').fill(newEmail.toUpperCase());
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile updated!', { exact: true })).toBeVisible();
  await expect(page.getByText(`${newEmail} becomes your address`, { exact: false })).toBeVisible();
  await expect(page.locator('dl')).toContainText(email);

  const letter = async () => (await outbox()).find(({ recipient }) => recipient === newEmail)?.body ?? '';
  await expect.poll(letter).toContain('/auth/callback#token_hash=');
  const { pathname, hash } = new URL(/https?:\/\/\S+\/auth\/callback#\S+/.exec(await letter())?.[0] ?? '');
  await page.goto(pathname + hash);
  await expect(page.getByText('confirm the change of your email address')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Email address confirmed')).toBeVisible();
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.locator('dl')).toContainText(newEmail);
  await expect(page.getByText('becomes your address', { exact: false })).toBeHidden();
});

test('another account’s address is not to be had', async ({ page, another }) => {
  const [code, taken] = [newTagCode(), newTagCode()];
  const theirs = `${taken.slice(4).toLowerCase()}@example.com`;
  await registerOwner(await another(), taken, theirs, password);
  await registerOwner(page, code, `${code.slice(4).toLowerCase()}@example.com`, password);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Email').fill(theirs);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('There is an account with this address already.')).toBeVisible();
});

test('a proved phone number is changed with a code that goes to the new one', async ({ page, outbox }) => {
  const code = newTagCode();
  await registerOwner(page, code, `${code.slice(4).toLowerCase()}@example.com`, password, newPhone());
  const phone = newPhone();
  const number = `+972${phone.slice(1)}`;
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Change phone number' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change phone number' });
  await dialog.getByRole('button', { name: 'Send Code' }).click();
  await expect(dialog.getByText('Phone number is required')).toBeVisible();
  await dialog.getByLabel('Phone number').fill(phone);
  await dialog.getByRole('button', { name: 'Send Code' }).click();
  await expect(dialog.getByText(number.slice(-4))).toBeVisible();
  const sms = async () => (await outbox()).find(({ recipient }) => recipient === number)?.body ?? '';
  await expect.poll(sms).toMatch(/\d{6}/);
  await dialog.getByRole('textbox').first().focus();
  await page.keyboard.type(/\b\d{6}\b/.exec(await sms())?.[0] ?? '');
  await dialog.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('Verification successful', { exact: true })).toBeVisible();
  await expect(page.locator('dl')).toContainText(number);
  await expect(page.locator('dl')).toContainText('Verified');
});

test('a sign-out that the service does not answer is said, on both screens that offer it', async ({
  page,
  context,
}) => {
  const code = newTagCode();
  await registerOwner(page, code, `${code.slice(4).toLowerCase()}@example.com`, password);
  await page.goto('/profile');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByText('Failed to sign out')).toBeVisible();
  await context.setOffline(false);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('Signed out successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/auth/);
});
