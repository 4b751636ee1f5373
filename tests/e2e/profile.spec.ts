import { setTimeout as pass } from 'node:timers/promises';
import { noteShifts, shifts, UNNOTICED } from './support/look-at-layout.ts';
import { proveAddress } from './support/prove-address.ts';
import { newPhone } from './support/register-owner.ts';
import { signIn } from './support/sign-in.ts';
import { signInOnScreen } from './support/sign-in-on-screen.ts';
import { expect, test } from './support/test.ts';

test.use({ refusals: [400, 401, 403, 422, 429, 500, 503, 'no connection'] });

test('a profile is shown, edited, canceled, and saved to the service', async ({ page, another, newOwner }) => {
  const { code, email, session } = await newOwner(page);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Your Profile' })).toBeVisible();
  const details = page.locator('dl');
  await expect(details).toContainText('Dana Levi');
  await expect(details).toContainText(email);
  await expect(details).toContainText(`+${session.user.phone}`);
  await expect(details).toContainText('Confirmed');
  await expect(page.getByText('Tagged items').locator('..')).toContainText('1');

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByLabel('Full name')).toBeFocused();
  // The number is proved, so it cannot be edited here.
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
  await page.getByRole('link', { name: /^How finders can reach you/ }).click();
  await page.getByRole('switch', { name: 'WhatsApp' }).click();
  await expect(page.getByRole('switch', { name: 'WhatsApp' })).not.toBeChecked();
  await expect(async () => {
    await finder.reload();
    await expect(finder.getByRole('button', { name: /WhatsApp/ })).toHaveCount(0, { timeout: 500 });
  }).toPass();

  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('link', { name: /^How finders can reach you/ })).not.toContainText('WhatsApp');
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/profile');
  await expect(page).toHaveURL(/\/auth/);
});

test('the settings’ layout is stable, however late their parts load', { tag: ['@one-width', '@rest'] }, async ({
  page,
  service,
  story,
}) => {
  await noteShifts(page);
  await signIn(page.context(), service.url, story.careful);
  // A slow connection: responses arrive one after the other.
  let late = 0;
  await page.route(/\/(rest|auth|storage)\/v1\//, async (route) => {
    late += 250;
    await pass(late);
    await route.continue();
  });
  const ends = {
    '/profile': page.getByRole('heading', { name: 'Your picture' }),
    '/profile/security': page.getByRole('heading', { name: 'Recent changes' }),
    '/profile/notifications': page.getByRole('button', { name: 'Add an address' }),
  };
  for (const [address, end] of Object.entries(ends)) {
    late = 0;
    await page.goto(address);
    // What moves outside of the window is not counted: the end of the page is where it would be seen.
    await end.scrollIntoViewIfNeeded();
    if (address === '/profile/security') {
      await expect(page.getByRole('button', { name: 'Remove Authenticator app' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toBeVisible();
    }
    const { sum, what } = await shifts(page);
    expect(sum, `${address}: ${what}`).toBeLessThan(UNNOTICED);
  }
});

test('a change that the server cannot receive is stored, and sent once it can', {
  tag: ['@one-width', '@rest'],
}, async ({ page, context, newOwner }) => {
  await newOwner(page);
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

test('a change is also kept when a gateway responds instead of the server, over a reload', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full name').fill('Noa Bar');
  await page.route('**/rest/v1/profiles**', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile updated! (Not yet saved to backend)')).toBeVisible();
  await page.unroute('**/rest/v1/profiles**');
  // Too many changes for now are no refusal either.
  await page.route('**/auth/v1/user**', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 429, json: {} }) : route.continue(),
  );
  const tooMany = page.waitForResponse((response) => response.status() === 429);
  await page.reload();
  await tooMany;
  await page.unroute('**/auth/v1/user**');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByText('Profile updated!', { exact: true })).toBeVisible();
  await expect(page.locator('dl')).toContainText('Noa Bar');
});

test('a later change replaces an unsent one', { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  await page.goto('/profile');
  const details = page.locator('dl');
  const save = async (label: string, value: string) => {
    await page.getByRole('button', { name: 'Edit Profile' }).click();
    await page.getByRole('textbox', { name: label }).fill(value);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  };
  // Only a change that is sent by itself fails, which the owner does not wait for.
  let isAway = true;
  for (const url of ['**/rest/v1/profiles**', '**/auth/v1/user**']) {
    await page.route(url, (route) =>
      isAway && /PATCH|PUT/.test(route.request().method())
        ? route.fulfill({ status: 503, body: '' })
        : route.continue(),
    );
  }
  await save('Full name', 'Noa Bar');
  await save('Email', 'mistyped@example.com');
  await expect(page.getByText(/are kept in this browser/)).toBeVisible();
  // Back to the account's own address: nothing of the wrong one is sent any more.
  await save('Email', session.user.email ?? '');
  await expect(details).toContainText('Noa Bar');
  isAway = false;
  await save('Full name', 'Noa Levi');
  await expect(page.getByText(/are kept in this browser/)).toBeHidden();
  await expect(details).toContainText('Noa Levi');
  await page.reload();
  await expect(details).toContainText('Noa Levi');
  const { data } = await client.auth.getUser();
  expect(data.user?.new_email).toBeUndefined();
  expect(data.user?.user_metadata.full_name).toBe('Noa Levi');
});

test('a reload that fails leaves the screen as it was, with what is typed', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full name').fill('Noa Bar');
  await page.route('**/auth/v1/user', (route) => route.fulfill({ status: 500, json: { code: 'unexpected_failure' } }));
  // The menu's entry of the current screen reloads it.
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('so it may be out of date.')).toBeVisible();
  await expect(page.getByLabel('Full name')).toHaveValue('Noa Bar');
  await page.unroute('**/auth/v1/user');
  await expect(page.getByText('so it may be out of date.')).toBeHidden();
  await expect(page.getByLabel('Full name')).toHaveValue('Noa Bar');
});

test('a session that was ended elsewhere is detected when something is saved', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client } = await newOwner(page);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full name').fill('Noa Bar');

  // The same person, at another place, signs out everywhere.
  expect((await client.auth.signOut({ scope: 'global' })).error).toBeNull();

  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Auth session missing!')).toBeVisible();
  await expect(page).toHaveURL(/\/auth/);
});

test('a session that was ended elsewhere is also detected by a request for data', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client } = await newOwner(page);
  await page.goto('/profile/security');
  await expect(page.getByText('This browser')).toBeVisible();
  expect((await client.auth.signOut({ scope: 'global' })).error).toBeNull();

  await page.getByRole('link', { name: 'Items', exact: true }).click();
  // Several requests are refused: a newer notice may replace the earlier one.
  await expect(page.getByText('You were signed out. Please sign in again.').first()).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await page.evaluate(() => localStorage.getItem('reunite_supabase_auth'))).toBeNull();
});

test('a new address takes effect when its link is followed, and no earlier', { tag: ['@one-width', '@rest'] }, async ({
  page,
  outbox,
  newOwner,
}) => {
  const { email, password } = await newOwner();
  await signInOnScreen(page, email, password);
  const newEmail = `new.${email}`;
  // The dashboard says that the previous address is unproved, and sends its link again.
  const notice = page.getByText(`open the link we sent to ${email}`);
  await page.goto('/dashboard');
  await expect(notice).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send the link again' })).toBeVisible();
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail.toUpperCase());
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile updated!', { exact: true })).toBeVisible();
  await expect(page.getByText(`Open the link we sent to ${newEmail}`, { exact: false })).toBeVisible();
  // The previous address is unproved, which is shown as well, because notices go there until then.
  await expect(page.getByText(`open the link we sent to ${email}`, { exact: false })).toBeVisible();
  await expect(page.locator('dl')).toContainText(email);

  const letter = async () => (await outbox()).find(({ recipient }) => recipient === newEmail)?.body ?? '';
  await expect.poll(letter).toContain('/auth/callback#token_hash=');
  const { pathname, hash } = new URL(/https?:\/\/\S+\/auth\/callback#\S+/.exec(await letter())?.[0] ?? '');
  await page.goto(pathname + hash);
  await expect(page.getByText('confirm your new email address')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Email address confirmed')).toBeVisible();
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.locator('dl')).toContainText(newEmail);
  await expect(page.getByText('Open the link we sent to', { exact: false })).toBeHidden();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  await expect(page.getByText('Confirm your email:')).toBeHidden();
});

test('an address confirmed by email is no longer pending on the screen that the user returns to', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, outbox, newOwner }) => {
  const { email, password } = await newOwner(page);
  await page.goto('/dashboard');
  const notice = page.getByText(`open the link we sent to ${email}`);
  await expect(notice).toBeVisible();

  const letter = async () => (await outbox()).find(({ recipient }) => recipient === email)?.body ?? '';
  await expect.poll(letter).toContain('/auth/callback#token_hash=');
  const { pathname, hash } = new URL(/https?:\/\/\S+\/auth\/callback#\S+/.exec(await letter())?.[0] ?? '');
  const elsewhere = await another();
  await elsewhere.goto(pathname + hash);
  await elsewhere.getByRole('button', { name: 'Confirm' }).click();
  await expect(elsewhere.getByRole('heading', { name: 'Sign in here first' })).toBeVisible();
  await signInOnScreen(elsewhere, email, password);
  await elsewhere.goto(pathname + hash);
  await elsewhere.getByRole('button', { name: 'Confirm' }).click();
  await expect(elsewhere.getByText('Email address confirmed')).toBeVisible();

  // A headless browser never hides a page, so the event of a returning phone is dispatched.
  await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
  await expect(notice).toBeHidden();
});

test('a change to another account’s address looks like one to a free address', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner, service }) => {
  const { email: theirs, session } = await newOwner();
  await proveAddress(service, session.user.id);
  await newOwner(page);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(theirs);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`Open the link we sent to ${theirs}`)).toBeVisible();
});

test('a proved phone number is changed with a code that goes to the new one', { tag: ['@one-width', '@rest'] }, async ({
  page,
  outbox,
  newOwner,
}) => {
  await newOwner(page);
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

  // After closing the dialog, the number is shown as pending, beside the current one.
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByText(`Enter the code we sent to ${number}`)).toBeVisible();
  await expect(page.locator('dl')).not.toContainText(number);
  await page.getByRole('button', { name: 'Enter the code' }).click();
  await expect(dialog.getByText(number.slice(-4))).toBeVisible();
  const sms = async () => (await outbox()).find(({ recipient }) => recipient === number)?.body ?? '';
  await expect.poll(sms).toMatch(/\d{6}/);
  await dialog.getByRole('textbox').first().focus();
  await page.keyboard.type(/\b\d{6}\b/.exec(await sms())?.[0] ?? '');
  await expect(page.getByText('Verification successful', { exact: true })).toBeVisible();
  await expect(page.locator('dl')).toContainText(number);
  await expect(page.locator('dl')).toContainText('Confirmed');
  await expect(page.getByText(`Enter the code we sent to ${number}`)).toBeHidden();
});

test('a sign-out without a response from the service is reported on both screens that offer it', {
  tag: ['@one-width', '@rest'],
}, async ({ page, context, newOwner }) => {
  await newOwner(page);
  await page.goto('/profile');
  await context.setOffline(true);
  const signOut = page.getByRole('button', { name: 'Sign Out' });
  await signOut.press('Enter');
  await expect(page.getByText('Failed to sign out')).toBeVisible();
  // It was disabled in the meantime, and keyboard users must keep their position.
  await expect(signOut).toBeFocused();
  await context.setOffline(false);
  // The service was not reached, so the user is still signed in and can retry.
  await page.goto('/dashboard');
  await page.route('**/auth/v1/logout**', (route) =>
    route.fulfill({ status: 500, json: { code: 'unexpected_failure' } }),
  );
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByText('Failed to sign out')).toBeVisible();
  await page.unroute('**/auth/v1/logout**');
  const reported: string[] = [];
  page.on('request', (request) => request.url().includes('/logout') && reported.push(request.url()));
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByText('Signed out successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/auth/);
  expect(reported).toEqual([expect.stringContaining('scope=local')]);
});

test.describe('a section that could not be loaded', () => {
  test.use({ refusals: [500] });

  test('is there when the service responds again', { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
    await newOwner(page);
    const parts = /rpc\/(list_sessions|count_recovery_codes)\b/;
    await page.route(parts, (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto('/profile/security');
    await expect(page.getByText('We couldn’t load this.')).toHaveCount(2);
    await page.unroute(parts);
    await expect(page.getByText('This browser')).toBeVisible();
    await expect(page.getByText('We couldn’t load this.')).toHaveCount(0);
  });
});
