import { proveAddress } from './support/prove-address.ts';
import { operatorClient } from './support/register-person.ts';
import { expect, newTagCode, test } from './support/test.ts';

test.use({ refusals: [400, 401, 403, 404] });

test('a protected page waits, sends a visitor to sign in, and is shown afterwards', async ({ page, newOwner }) => {
  const { email, password } = await newOwner();

  // The server's document says that it is loading.
  expect(await (await page.request.get('/profile')).text()).toContain('Loading...');
  await page.goto('/profile');
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Successfully signed in!')).toBeVisible();
  await expect(page).toHaveURL(/\/profile$/);
});

test('a slow navigation shows its progress', { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  const onItsWay = page.getByText('Loading...', { exact: true });
  await expect(onItsWay).toHaveCount(0);
  const arrives = Promise.withResolvers<void>();
  await page.route('**/rest/v1/profiles?**', (route) => arrives.promise.then(() => route.continue()));
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(onItsWay).toBeAttached();
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  arrives.resolve();
  await expect(page.getByRole('heading', { name: 'Your Profile' })).toBeVisible();
  await expect(onItsWay).toHaveCount(0);
});

test('a visitor with a stored tag code is sent to sign in with it', { tag: ['@one-width', '@rest'] }, async ({
  page,
}) => {
  const code = newTagCode();
  await page.goto(`/?qr_id=${code}`);
  await page.goto(`/auth/${code}`);
  await page.waitForFunction((kept) => sessionStorage.getItem('reunite_qr_id') === kept, code);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(new RegExp(`/auth/${code}$`));
});

test('a stored return path to another site is never followed', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  const { email, password } = await newOwner();
  await page.goto('/auth?mode=login');
  await page.evaluate(() => sessionStorage.setItem('reunite_return_path', '//evil.example/profile'));
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/localhost:\d+\/dashboard$/);
});

test('signing out in one tab signs out the other one, with a notice', { tag: '@one-width' }, async ({
  page,
  context,
  newOwner,
}) => {
  await newOwner(page);
  await page.goto('/profile');
  const second = await context.newPage();
  await second.goto('/profile');
  await expect(second.getByRole('heading', { name: 'Your Profile' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await expect(second.getByText('You were signed out. Please sign in again.')).toBeVisible();
  await expect(second).toHaveURL(/\/auth/);
});

test('a change begun in one tab is never saved to the account that signs in in another', {
  tag: ['@one-width', '@rest'],
}, async ({ page, context, service, newOwner }) => {
  await newOwner(page);
  const { email, session } = await newOwner();
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Full name').fill('Written by the first one');
  // The other one opens the link of a recovery email.
  await proveAddress(service, session.user.id);
  const { data } = await (await operatorClient(service)).auth.admin.generateLink({ type: 'recovery', email });
  const second = await context.newPage();
  await second.goto(`/auth?reset=true#token_hash=${data.properties?.hashed_token}&type=recovery`);
  await second.getByLabel('New password', { exact: true }).fill('nineteen green bicycles');
  await second.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText(email).first()).toBeVisible();
  await expect(page.getByLabel('Full name')).toHaveCount(0);
});

test.describe('a session that ended on another device', () => {
  test.use({ refusals: [401, 403] });

  test('is signed out at the next visit, with a notice', { tag: '@one-width' }, async ({ page, newOwner }) => {
    const { client } = await newOwner(page);
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
    await page.goto('/privacy');
    await client.auth.signOut({ scope: 'global' });
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await expect(page.getByText('You were signed out. Please sign in again.')).toBeVisible();
  });
});

test('an expired refresh token signs out, with a notice', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  await page.goto('/privacy');
  await page.evaluate(() => {
    const key = 'reunite_supabase_auth';
    const session: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    const ended = { ...(session as object), expires_at: 1, refresh_token: 'aaaaaaaaaaaa' };
    localStorage.setItem(key, JSON.stringify(ended));
  });
  await page.goto('/profile');
  await expect(page.getByText('You were signed out. Please sign in again.')).toBeVisible();
  await expect(page).toHaveURL(/\/auth/);
  expect(await page.evaluate(() => localStorage.getItem('reunite_supabase_auth'))).toBeNull();
});

test('a session near its end is renewed, and kept under the product’s own key', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/privacy');
  const before = await page.evaluate(() => {
    const key = 'reunite_supabase_auth';
    const session = JSON.parse(localStorage.getItem(key) ?? '{}') as { access_token: string };
    // Less than three ticks of 30 seconds are left.
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 80 }));
    return session.access_token;
  });
  const renewed = page.waitForResponse((response) => response.url().includes('grant_type=refresh_token'));
  await page.goto('/profile');
  expect((await renewed).status()).toBe(200);
  await expect(page.getByRole('heading', { name: 'Your Profile' })).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          (JSON.parse(localStorage.getItem('reunite_supabase_auth') ?? '{}') as { access_token: string }).access_token,
      ),
    )
    .not.toBe(before);
});

test('a token that cannot be verified after a change of keys is renewed', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/privacy');
  await page.evaluate(() => {
    const key = 'reunite_supabase_auth';
    const session = JSON.parse(localStorage.getItem(key) ?? '{}') as { access_token: string };
    const [head, claims] = session.access_token.split('.');
    const signature = btoa('x'.repeat(64)).replaceAll('=', '');
    localStorage.setItem(key, JSON.stringify({ ...session, access_token: `${head}.${claims}.${signature}` }));
  });
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
});

test('a sticker’s code on the way back from another service begins no exchange and ends no session [D36]', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  const exchanges: string[] = [];
  page.on('request', (request) => request.url().includes('grant_type=pkce') && exchanges.push(request.url()));
  const other = newTagCode();
  for (const address of [
    `/auth/callback?code=${other}`,
    `/?code=${other}`,
    `/dashboard?code=${other}`,
    `/auth?code=${other}`,
  ]) {
    await page.goto(address);
    await expect(page.locator('h1').first()).toBeVisible();
  }
  expect(exchanges).toEqual([]);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Your Profile' })).toBeVisible();
});

test('each failure of a link says what to do', { tag: ['@one-width', '@rest'] }, async ({ page }) => {
  for (const [address, title] of [
    ['/auth/callback', 'There’s nothing to confirm here'],
    ['/auth/callback#error=access_denied&error_code=otp_expired', 'This link no longer works'],
    ['/auth/callback?error=access_denied', 'You’re not signed in'],
    ['/auth/callback?error=server_error', 'That didn’t work'],
    ['/auth/callback?error=access_denied&error_code=user_already_exists', 'There’s already an account with this email'],
    [
      '/auth/callback?error=access_denied&error_code=provider_email_needs_verification',
      'Confirm your email there first',
    ],
    ['/auth/callback?code=7f3c1d2e-1111-4222-8333-444455556666', 'Continue in the other browser'],
    ['/auth/callback#message=Confirmation+link+accepted', 'One more link to open'],
  ] as const) {
    await page.goto('/privacy');
    await page.goto(address);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  }
  await page.goto('/privacy');
  await page.goto(`/auth/callback#token_hash=${'a'.repeat(43)}&type=email`);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
});

test('the debug page shows a code, the caller, and its owner; and registers it', { tag: '@rest' }, async ({
  page,
  newOwner,
}) => {
  const code = newTagCode();
  await page.goto(`/test-redirect?qr_id=${code}`);
  await expect(page.getByText(code)).toBeVisible();
  await expect(page.getByText('Not signed in')).toBeVisible();
  await expect(page.getByText('No one has registered this code')).toBeVisible();
  await page.getByRole('link', { name: 'Sign In to Register' }).click();
  await expect(page).toHaveURL(new RegExp(`/auth/${code}$`));

  await newOwner(page);
  await page.goto(`/test-redirect?qr_id=${code}`);
  await page.getByRole('button', { name: 'Register this code' }).click();
  await expect(page.getByText('This code is registered to you now')).toBeVisible();
  await expect(page.getByText(/^You \([0-9a-f-]{36}\)$/)).toBeVisible();
});

test('a link with ?code= leads to its item from the owner’s screens, also by way of signing in', async ({
  page,
  newOwner,
}) => {
  const screens = ['/dashboard', '/messages', '/profile', '/profile/security', '/stickers', '/spreadsheet', '/given'];
  for (const screen of screens) {
    const code = newTagCode();
    await page.goto(`${screen}?code=${code}`);
    await expect(page).toHaveURL(new RegExp(`/auth/${code}$`));
  }
  await page.evaluate(() => sessionStorage.clear());
  const { code, email, password } = await newOwner();
  await page.goto(`/given?code=${code}`);
  await page.getByRole('link', { name: 'Already have an account' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(`/item/${code}`);
  for (const screen of screens) {
    await page.goto(`${screen}?code=${code}`);
    await expect(page).toHaveURL(`/item/${code}`);
  }
});
