import { expect, newTagCode, test } from './support/test.ts';

test('an owner logs out, logs in, and tags another thing', async ({ page, newOwner }) => {
  const { email, password } = await newOwner(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/auth/);

  // The next user of the browser must not see the previous content.
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

test.describe('public pages', () => {
  test.use({ refusals: [404] });
  test('show a signed-in owner the menu and the way to log out, and no visitor', {
    tag: ['@one-width', '@rest'],
  }, async ({ page, another, newOwner }) => {
    await newOwner(page);
    const stranger = await another();
    for (const path of ['/faq', '/privacy', '/terms', '/not-found']) {
      await page.goto(path);
      await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
      await stranger.goto(path);
      await expect(stranger.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(stranger.getByRole('navigation', { name: 'Main menu' })).toBeHidden();
      await expect(stranger.getByRole('button', { name: 'Log out' })).toBeHidden();
    }
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await expect(page).toHaveURL('/messages');
  });
});

test.describe('a log-out that fails', () => {
  test.use({ refusals: [500] });
  test('is reported on a public page', { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
    await newOwner(page);
    await page.goto('/faq');
    await page.route('**/auth/v1/logout**', (route) =>
      route.fulfill({ status: 500, json: { code: 'unexpected_failure', message: 'no' } }),
    );
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByText('Failed to sign out')).toBeVisible();
    await expect(page).toHaveURL('/faq');
  });
});

test('a request that a sign-out overtakes is refused without a notice to the owner', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  const { promise: isSignedOut, resolve: signedOut } = Promise.withResolvers<void>();
  let held = 0;
  // The dashboard's request after a change notice: whether it has missed a change.
  await page.route(/\/rest\/v1\/messages\?select=id&/, async (route) => {
    held += 1;
    await isSignedOut;
    await route.continue();
  });
  await page.goto('/dashboard');
  await expect.poll(() => held).toBe(1);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/auth/);
  const refused = page.waitForResponse((response) => response.url().includes('/rest/v1/messages?select=id'));
  signedOut();
  expect((await refused).status()).toBe(401);
  await expect(page.getByText('You were signed out. Please sign in again.')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
});

test('during a sign-out no further request is sent with its session', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  await page.goto('/dashboard');
  const item = page.getByRole('link', { name: /My Tagged Item/ });
  await expect(item).toBeVisible();
  const { promise: mayArrive, resolve: arrives } = Promise.withResolvers<void>();
  let isEnded = false;
  // The service has ended the session, and its response is on the way.
  await page.route('**/auth/v1/logout**', async (route) => {
    const response = await route.fetch();
    isEnded = true;
    await mayArrive;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect.poll(() => isEnded).toBe(true);

  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/rest/v1/')) asked.push(request.url());
  });
  await item.click();
  await expect(page.getByText('Loading...', { exact: true })).toBeAttached();
  arrives();
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
  expect(asked).toEqual([]);
});

test('a screen that is still shown after the sign-out sends no request', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  const { promise: isSignedOut, resolve: signedOut } = Promise.withResolvers<void>();
  const { promise: mayLeave, resolve: leaves } = Promise.withResolvers<void>();
  // Its subscription is confirmed late, and the code of the next screen arrives later still.
  await page.routeWebSocket(/\/realtime\/v1\//, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => void isSignedOut.then(() => socket.send(message)));
    server.onClose(() => void isSignedOut.then(() => socket.close()));
  });
  await page.route(/\/assets\/auth-[\w-]{8}\.js/, async (route) => {
    await mayLeave;
    await route.continue();
  });
  const subscribes = page.waitForEvent('websocket', { predicate: (socket) => socket.url().includes('/realtime/') });
  await page.goto('/dashboard');
  await subscribes;
  await page.getByRole('button', { name: 'Log out' }).click();
  const key = 'reunite_supabase_auth';
  await page.waitForFunction((name) => localStorage.getItem(name) === null, key);

  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/rest/v1/')) asked.push(request.url());
  });
  signedOut();
  leaves();
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
  expect(asked).toEqual([]);
});
