import type { Route } from '@playwright/test';
import { countSubscriptions } from './support/count-subscriptions.ts';
import { signIn } from './support/sign-in.ts';
import { expect, newTagCode, test } from './support/test.ts';

test('an empty form names each missing field', async ({ page }) => {
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

test('an owner logs out, logs in, and tags another thing', async ({ page, newOwner }) => {
  const { email, password } = await newOwner(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
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
  await page.getByRole('button', { name: 'Logout' }).click();
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
  await page.getByRole('button', { name: 'Logout' }).click();
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
  await page.route(/\/assets\/auth-[^/]+\.js/, async (route) => {
    await mayLeave;
    await route.continue();
  });
  const subscribes = page.waitForEvent('websocket', { predicate: (socket) => socket.url().includes('/realtime/') });
  await page.goto('/dashboard');
  await subscribes;
  await page.getByRole('button', { name: 'Logout' }).click();
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

test('another owner’s code is a finder’s page, for a signed-in user too', { tag: '@one-width' }, async ({
  page,
  service,
  story,
}) => {
  await signIn(page.context(), service.url, story.newcomer);
  await page.goto(`/${story.codes.keys}`);
  await expect(page.getByRole('heading', { name: 'Contact Dana' })).toBeVisible();
  await expect(page.getByRole('button', { name: /WhatsApp/ })).toBeVisible();
  expect(await page.content()).not.toContain('501234567');
});

test('an address that leads nowhere says so with the status 404', async ({ page }) => {
  const respond = await page.request.get('/not-found');
  expect(respond.status()).toBe(404);
  expect((await page.request.get('/no/such/page')).status()).toBe(404);
});

test('an item is changed: type, name, description and note, and a finder sees the new name and note', async ({
  page,
  another,
  service,
  story,
}) => {
  await signIn(page.context(), service.url, story.session);
  await page.goto(`/item/${story.codes.backpack}`);
  await page.getByRole('button', { name: 'Edit item' }).click();
  await expect(page.getByRole('heading', { name: 'Edit item' })).toBeFocused();
  await expect(page.getByRole('radio', { name: 'Backpack' })).toBeChecked();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill(' ');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please enter a name')).toBeVisible();
  await page.getByRole('radio', { name: 'Bag', exact: true }).check();
  await name.fill('Sports bag');
  await page.getByLabel('Description (optional)').fill('Green');
  await page.getByLabel('Note to finders (optional)').fill('n'.repeat(251));
  await expect(page.getByText('250/250')).toHaveClass(/text-danger/);
  await page.getByLabel('Note to finders (optional)').fill('Please ring the bell');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Item saved')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Sports bag' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit item' })).toBeFocused();

  const finder = await another();
  await finder.goto(`/item/${story.codes.backpack}`);
  await expect(finder.getByRole('heading', { name: 'Sports bag' })).toBeVisible();
  await expect(finder.getByText('Please ring the bell')).toBeVisible();
  await expect(finder.getByText('Green')).toBeHidden();

  await page.getByRole('button', { name: 'Edit item' }).click();
  await name.fill('Thrown away');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sports bag' })).toBeVisible();
});

test('an item is marked as lost with a note, and is back again', async ({ page, another, service, story }) => {
  await signIn(page.context(), service.url, story.session);
  await page.goto(`/item/${story.codes.keys}`);
  await page.getByRole('button', { name: 'Mark as lost' }).click();
  const dialog = page.getByRole('dialog', { name: /^Mark .* as lost$/ });
  await dialog.getByLabel('Note to finders (optional)').fill('Lost on bus 18');
  await dialog.getByLabel('Reward (optional)').fill('A homemade cake');
  await dialog.getByRole('button', { name: 'Mark as lost' }).click();
  await expect(page.getByText('Marked as lost')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Reported lost' })).toBeFocused();
  const finder = await another();
  await finder.goto(`/item/${story.codes.keys}`);
  await expect(finder.getByText('Reported lost')).toBeVisible();
  await expect(finder.getByText('Lost on bus 18')).toBeVisible();
  await expect(finder.getByText('A homemade cake')).toBeVisible();
  await page.getByRole('button', { name: 'I have it back', exact: true }).click();
  await expect(page.getByText('No longer marked as lost')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Not lost' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Mark as lost' })).toBeVisible();
});

test.describe('a connection that breaks', { tag: '@one-width' }, () => {
  test.use({ refusals: [500, 502, 'no connection'] });

  test('in the middle of a save: the screen says so, keeps what was typed, and saves once online', async ({
    page,
    service,
    story,
  }) => {
    await signIn(page.context(), service.url, story.session);
    await page.goto(`/item/${story.codes.wallet}`);
    await page.getByRole('button', { name: 'Edit item' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Black wallet');
    let isCut = true;
    await page.route('**/rest/v1/items?**', (route) =>
      isCut && route.request().method() === 'PATCH' ? route.fulfill({ status: 502, body: '' }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Not saved yet. We’re trying again...')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
    isCut = false;
    await expect(page.getByText('Item saved')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Black wallet' })).toBeVisible();
  });

  test('a change that waits for the service can be cancelled, and is not sent later', { tag: '@rest' }, async ({
    page,
    newOwner,
  }) => {
    const { client, code } = await newOwner(page);
    await client.from('items').update({ item_type: 'umbrella', item_name: 'Red umbrella' }).eq('qr_id', code);
    await page.goto(`/item/${code}`);
    await page.getByRole('button', { name: 'Edit item' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Never saved');
    let isCut = true;
    const attempts: string[] = [];
    await page.route('**/rest/v1/items?**', (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      attempts.push(route.request().url());
      return isCut ? route.fulfill({ status: 502, body: '' }) : route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Not saved yet. We’re trying again...')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Edit item' })).toBeVisible();
    const before = attempts.length;
    isCut = false;
    // What still waits is sent at once when the connection returns.
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Red umbrella' })).toBeVisible();
    expect(attempts).toHaveLength(before);
    expect((await client.from('items').select('item_name').single()).data).toEqual({ item_name: 'Red umbrella' });
  });

  test('a deletion that is called back or fails leaves the item where it is', { tag: '@rest' }, async ({
    page,
    newOwner,
  }) => {
    const { client, code } = await newOwner(page);
    await client.from('items').update({ item_type: 'umbrella', item_name: 'Red umbrella' }).eq('qr_id', code);
    await page.goto(`/item/${code}`);
    const deletion = async (route: Route, end: () => Promise<void>) =>
      route.request().method() === 'DELETE' ? end() : route.continue();
    // No response arrives.
    await page.route('**/rest/v1/items?**', (route) => deletion(route, async () => undefined));
    await page.getByRole('button', { name: 'Delete Item' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Deleting...' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await expect(dialog).toBeHidden();
    await page.unroute('**/rest/v1/items?**');
    await page.route('**/rest/v1/items?**', (route) => deletion(route, () => route.fulfill({ status: 500, json: {} })));
    await page.getByRole('button', { name: 'Delete Item' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('We couldn’t delete the item. Please try again.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Red umbrella' })).toBeVisible();
  });

  test('is retried on the next screen', { tag: '@rest' }, async ({ page, service, story }) => {
    await signIn(page.context(), service.url, story.session);
    await page.goto(`/item/${story.codes.wallet}`);
    let isCut = true;
    await page.route('**/rest/v1/items?**', (route) =>
      isCut && route.request().method() === 'PATCH' ? route.fulfill({ status: 502, body: '' }) : route.continue(),
    );
    await page.getByRole('switch', { name: 'Email' }).click();
    await expect(page.getByText('Not saved yet. We’re trying again...')).toBeVisible();
    await page.getByRole('link', { name: 'Return to Dashboard' }).click();
    await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
    isCut = false;
    await saved;
    await page.goto(`/item/${story.codes.wallet}`);
    await expect(page.getByRole('switch', { name: 'Email' })).toBeChecked();
  });

  test('a refused save says so, and what was typed stays', { tag: '@rest' }, async ({ page, service, story }) => {
    await signIn(page.context(), service.url, story.session);
    await page.goto(`/item/${story.codes.wallet}`);
    await page.getByRole('button', { name: 'Edit item' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Red wallet');
    await page.route('**/rest/v1/items?**', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('We couldn’t save the change. Please try again.')).toBeVisible();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Red wallet');
  });

  test('does not block the dialog that marks an item as lost, which is marked later', { tag: '@rest' }, async ({
    page,
    newOwner,
  }) => {
    const { code } = await newOwner(page);
    await page.goto(`/item/${code}`);
    await page.getByRole('button', { name: 'Skip for now' }).click();
    let isCut = true;
    await page.route('**/rest/v1/items?**', (route) =>
      isCut && route.request().method() === 'PATCH' ? route.fulfill({ status: 502, body: '' }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Mark as lost' }).click();
    const dialog = page.getByRole('dialog', { name: /^Mark .* as lost$/ });
    await dialog.getByLabel('Note to finders (optional)').fill('Lost on bus 18');
    await dialog.getByRole('button', { name: 'Mark as lost' }).click();
    await expect(dialog.getByText('Not saved yet. We’re trying again...')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Not saved yet. We’re trying again...')).toBeVisible();
    // What is being saved is still there.
    await page.getByRole('button', { name: 'Mark as lost' }).click();
    await expect(dialog.getByLabel('Note to finders (optional)')).toHaveValue('Lost on bus 18');
    await dialog.getByRole('button', { name: 'Close' }).click();
    isCut = false;
    await expect(page.getByRole('heading', { name: 'Reported lost' })).toBeVisible();
  });

  test('leaves the dashboard unchanged, says so, and updates it once online', { tag: '@rest' }, async ({
    page,
    service,
    story,
  }) => {
    await signIn(page.context(), service.url, story.session);
    // First without anything to show.
    await page.route('**/rest/v1/items?**', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
    await page.goto('/dashboard');
    await expect(page.getByRole('alert')).toContainText('Failed to load your items');
    await page.unroute('**/rest/v1/items?**');
    await expect(page.getByRole('link', { name: /wallet/ })).toBeVisible();

    // Then with the data that was loaded before.
    await page.getByRole('link', { name: /wallet/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: /wallet/ })).toBeVisible();
    await page.route('**/rest/v1/items?**', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
    await page.getByRole('link', { name: 'Return to Dashboard' }).click();
    await expect(page.getByRole('link', { name: /wallet/ })).toBeVisible();
    // The notice of before may still be on its way out.
    await expect(page.getByText('Failed to load your items').last()).toBeVisible();
    await page.unroute('**/rest/v1/items?**');
    // By itself.
    await expect(page.getByText('so it may be out of date.')).toBeHidden();
    await expect(page.getByRole('link', { name: /wallet/ })).toBeVisible();

    // Also where the session would have to be refreshed.
    await page.getByRole('link', { name: /wallet/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: /wallet/ })).toBeVisible();
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('reunite_supabase_auth') ?? '');
      localStorage.setItem('reunite_supabase_auth', JSON.stringify({ ...session, expires_at: 1 }));
    });
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Return to Dashboard' }).click();
    await expect(page.getByRole('link', { name: /wallet/ })).toBeVisible();
    await page.context().setOffline(false);
  });
});

test('the hint names the open contact methods of the item, and the switches warn if there is none', {
  tag: '@rest',
}, async ({ page, newOwner }) => {
  const { code } = await newOwner(page);
  await page.goto(`/item/${code}`);
  const hint = page.getByRole('region', { name: 'How finders can reach you' });
  const left = [
    ['WhatsApp', 'By call, email, and anonymous message.'],
    ['Call', 'By email and anonymous message.'],
    ['Email', 'By anonymous message.'],
    ['Anonymous message', 'No one who finds it can reach you.'],
  ] as const;
  const warning = page.getByRole('status').getByText('No one who finds it can reach you.');
  for (const [way, said] of left) {
    await expect(warning).toBeHidden();
    await page.getByRole('switch', { name: way }).click();
    await expect(hint).toContainText(said);
  }
  await expect(warning).toBeVisible();
  await page.getByRole('switch', { name: 'Call' }).click();
  await expect(warning).toBeHidden();
});

test('a switch that is pressed again while it is being saved ends as it was pressed last', { tag: '@rest' }, async ({
  page,
  newOwner,
}) => {
  const { code } = await newOwner(page);
  await page.goto(`/item/${code}`);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/rest/v1/items?**', async (route) => {
    if (route.request().method() === 'PATCH') await held;
    await route.continue();
  });
  let saved = 0;
  page.on('response', (response) => {
    if (response.request().method() === 'PATCH' && response.ok()) saved += 1;
  });
  const call = page.getByRole('switch', { name: 'Call' });
  await call.click();
  await expect(call).not.toBeChecked();
  await call.click();
  await expect(call).toBeChecked();
  release();
  await expect.poll(() => saved).toBe(2);
  await page.reload();
  await expect(call).toBeChecked();
});

test('the dashboard names the items whose owner is unreachable, by their own switches or the account’s', {
  tag: '@rest',
}, async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  const ownerId = session.user.id;
  const closed = { whatsapp_enabled: false, call_enabled: false, email_enabled: false, message_enabled: false };
  const items = ['Red kite', 'Blue kite'].map((item_name) => ({
    item_name,
    item_type: 'custom',
    qr_id: newTagCode(),
    user_id: ownerId,
  }));
  expect((await client.from('items').insert(items)).error).toBeNull();
  expect((await client.from('items').update(closed).eq('item_type', 'custom')).error).toBeNull();
  await page.goto('/dashboard');
  const ofItems = page.getByText(/^No one who finds (Red|Blue) kite or (Red|Blue) kite can reach you\.$/);
  await expect(ofItems).toBeVisible();

  // The account's contact methods are closed as well, and so are those without a setting of their own.
  expect((await client.from('profiles').update(closed).eq('id', ownerId)).error).toBeNull();
  await page.reload();
  const ofAccount = page.getByText('No one who finds your items can reach you, except items with their own setting.');
  await expect(ofAccount).toBeVisible();
  await expect(ofItems).toBeHidden();
  await page.goto('/profile');
  await expect(ofAccount).toBeVisible();

  // One way each is enough.
  const open = { message_enabled: true };
  expect((await client.from('items').update(open).eq('user_id', ownerId)).error).toBeNull();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Red kite' })).toBeVisible();
  await expect(ofAccount).toBeHidden();
  await expect(ofItems).toBeHidden();
});

test('the first-run hint says which contact methods are open, and closes all but messages', { tag: '@rest' }, async ({
  page,
  another,
  newOwner,
}) => {
  const { code } = await newOwner(page);
  await page.goto(`/item/${code}`);
  const hint = page.getByRole('region', { name: 'How finders can reach you' });
  await expect(hint).toContainText('By WhatsApp, call, email, and anonymous message.');
  await hint.getByRole('button', { name: 'Messages only' }).click();
  await expect(page.getByText('Finders can now reach you by anonymous message only')).toBeVisible();
  await expect(hint.getByRole('button', { name: 'Messages only' })).toBeHidden();
  await expect(page.getByRole('switch', { name: 'Call' })).not.toBeChecked();
  await expect(page.getByRole('switch', { name: 'Anonymous message' })).toBeChecked();
  const finder = await another();
  await finder.goto(`/item/${code}`);
  await expect(finder.getByRole('button', { name: 'Send Message' })).toBeVisible();
  await expect(finder.getByRole('button', { name: 'Call' })).toBeHidden();

  // The way to the profile, with its hint.
  const profile = page.getByRole('link', { name: 'Update your profile' });
  await expect(profile).toHaveAccessibleDescription(
    'Signing up allows others to contact you when they find your items',
  );
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Messages only' })).toBeHidden();
});

test('the first visit after registering: what it is, its sticker, and how finders reach its owner, each once', async ({
  page,
  newOwner,
}) => {
  const { client, code } = await newOwner(page);
  await page.goto(`/item/${code}`);
  await expect(page.getByRole('heading', { level: 1, name: 'It is tagged. What is it?' })).toBeVisible();
  for (const name of ['Put the sticker on it', 'How finders can reach you']) {
    await expect(page.getByRole('heading', { name })).toHaveCount(1);
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please select an item type or enter a custom item name')).toBeVisible();
  await page.getByRole('radio', { name: 'Keys' }).check();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Keys');
  await page.getByLabel('Name', { exact: true }).fill('Keys of the boat');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Keys of the boat is ready' })).toBeFocused();
  const { data } = await client.from('items').select('item_type, item_name').eq('qr_id', code).single();
  expect(data).toEqual({ item_type: 'keys', item_name: 'Keys of the boat' });
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Keys of the boat' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark as lost' })).toBeInViewport();

  // It is shown until the choice is made, and not again.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Edit item' })).toBeVisible();
  await expect(page.getByText('It is tagged.')).toBeHidden();
});

test('the dashboard begins with news: one line for open tasks, new messages first, and links to the thread', async ({
  page,
  another,
  newOwner,
}) => {
  const { client, session } = await newOwner(page);
  const codes = { old: newTagCode(), young: newTagCode() };
  for (const [item_name, qr_id] of [
    ['Old hat', codes.old],
    ['Young hat', codes.young],
  ]) {
    const row = { item_name, item_type: 'custom', qr_id, user_id: session.user.id };
    expect((await client.from('items').insert(row)).error).toBeNull();
  }
  const write = async (code: string, body: string) =>
    expect((await client.rpc('send_message', { qr_id_param: code, body_param: body })).error).toBeNull();
  await write(codes.old, 'I found your hat');
  const subscriptions = countSubscriptions(page);
  await page.goto('/dashboard');
  const cards = page.getByRole('link', { name: /hat|My Tagged Item/ });
  await expect(cards.first()).toContainText('Old hat');
  // An unconfirmed address is this account's most urgent task.
  await expect(page.getByRole('button', { name: 'Send the link again' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Messages only' })).toBeHidden();

  await expect(cards.first()).toHaveAttribute('href', `/item/${codes.old}#messages`);
  // The total links to the same conversation.
  await expect.poll(subscriptions).toBe(1);
  await page.getByRole('link', { name: '1 new message', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/item/${codes.old}#messages$`));
  await expect(page.getByText('I found your hat')).toBeInViewport();
  await expect(page.getByLabel('Your reply to Finder 1')).toBeVisible();

  // Each screen in between has subscribed too.
  const returnToDashboard = async (screen: number) => {
    await expect.poll(subscriptions).toBe(screen - 1);
    await page.getByRole('link', { name: 'Return to Dashboard' }).click();
    await expect.poll(subscriptions).toBe(screen);
  };
  await returnToDashboard(3);
  const finder = await another();
  await finder.goto(`/item/${codes.young}`);
  await finder.getByLabel('Your message').fill('And another one');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByText('New message about Young hat').first()).toBeVisible();
  await page.getByRole('link', { name: 'Read', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/item/${codes.young}#messages$`));
  await expect(page.getByText('And another one')).toBeInViewport();

  // What a screen shows is not announced over it any more.
  await returnToDashboard(5);
  await finder.getByLabel('Your message').fill('And one more');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  const notice = page.getByRole('link', { name: 'Read', exact: true });
  await expect(notice).toBeVisible();
  await page.getByRole('link', { name: '1 new message', exact: true }).click();
  await expect(page.getByText('And one more')).toBeInViewport();
  await expect(notice).toBeHidden({ timeout: 2_000 });
});

test('what is read on another screen is no longer counted, on the dashboard and at the icon of the app', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  const write = async (body: string) =>
    expect((await client.rpc('send_message', { qr_id_param: code, body_param: body })).error).toBeNull();
  for (const body of ['One', 'Two']) await write(body);
  const other = await page.context().newPage();
  await other.addInitScript(() => {
    const badges: number[] = [];
    Object.assign(window, { badges });
    const setAppBadge = async (count: number) => {
      // It may be set to the same number again.
      if (badges.at(-1) !== count) badges.push(count);
    };
    Object.assign(navigator, { setAppBadge });
  });
  const badges = () => other.evaluate(() => (window as unknown as { badges: number[] }).badges);
  await page.goto('/dashboard');
  const total = page.getByRole('link', { name: /^\d new messages?$/ });
  await expect(total).toHaveText('2 new messages');
  await other.goto(`/item/${code}`);
  await expect(other.getByText('Two')).toBeVisible();
  await expect(total).toBeHidden();
  await expect.poll(badges).toEqual([0]);

  // On another device.
  await other.goto('/dashboard');
  await expect.poll(badges).toEqual([0]);
  await write('Three');
  for (const screen of [page, other]) {
    await expect(screen.getByRole('link', { name: '1 new message', exact: true })).toBeVisible();
  }
  await expect.poll(badges).toEqual([0, 1]);
  await client.from('messages').update({ read_at: new Date().toISOString() }).is('read_at', null);
  await expect(total).toBeHidden();
  await expect.poll(badges).toEqual([0, 1, 0]);
});

test('the dashboard says how many emails an unconfirmed address still gets, and that they have stopped', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner, outbox }) => {
  const { client, code, email } = await newOwner(page);
  const write = async (body: string) =>
    expect((await client.rpc('send_message', { qr_id_param: code, body_param: body })).error).toBeNull();
  const sent = async () =>
    (await outbox()).filter(({ recipient, subject }) => recipient === email && subject?.startsWith('Someone found'))
      .length;
  await page.goto('/dashboard');
  const line = (text: string) => page.getByText(text);
  await expect(line(`Confirm that ${email} is yours`)).toContainText('we email you about 3 more messages only');
  for (const left of [2, 1]) {
    await write(`${left} left`);
    await expect.poll(sent).toBe(3 - left);
    await page.reload();
    await expect(line(`Confirm that ${email} is yours`)).toContainText(`we email you about ${left} more message`);
  }
  const stopped = `We emailed you about 3 messages and have stopped, because ${email} isn’t confirmed.`;
  await write('The last one with an email');
  await expect.poll(sent).toBe(3);
  await page.reload();
  await expect(line(stopped)).not.toContainText('without an email');
  await write('One without');
  await expect.poll(async () => (await client.rpc('count_unproved_notices')).data, 'the job has counted it').toBe(4);
  await page.reload();
  await expect(line(stopped)).toContainText('1 more came without an email.');
  await page.goto('/profile');
  await expect(line(stopped)).toContainText('1 more came without an email.');
});

test('an account without an email address sees that it has none, and who can still write to it', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, newOwner, outbox }) => {
  const { client, code, email } = await newOwner(page);
  const mail = async () => (await outbox()).find(({ recipient }) => recipient === email)?.body ?? '';
  await expect.poll(mail).toContain('/not-mine');
  const link = /https?:\S+not-mine\S+/.exec(await mail())?.[0] ?? '';
  const reader = await another();
  await reader.goto(link);
  await reader.getByRole('button', { name: 'Remove my email' }).click();
  await expect(reader.getByRole('heading', { name: 'Your email is removed' })).toBeVisible();
  expect((await client.auth.getUser()).data.user?.email).toBe('');

  await page.goto('/dashboard');
  await expect(page.getByText('Your account has no email address')).toBeVisible();
  await page.getByRole('link', { name: 'Add your email' }).click();
  await expect(page.getByRole('heading', { name: 'Your Profile' })).toBeVisible();

  // A message about an item that the dashboard has not loaded also links to its conversation.
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: /My Tagged Item/ })).toBeVisible();
  const late = newTagCode();
  const claimed = { qr_id_param: late, user_id_param: (await client.auth.getUser()).data.user?.id };
  expect((await client.rpc('register_qr_code', claimed)).error).toBeNull();
  expect(code).not.toBe(late);
  const finder = await another();
  await finder.goto(`/item/${late}`);
  await finder.getByLabel('Your message').fill('From the last bus');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  await page.getByRole('link', { name: 'Read', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/item/${late}#messages$`));
  await expect(page.getByText('From the last bus')).toBeInViewport();
});

test('an owner without a sticker prints one, and a scanner reads it', { tag: ['@one-width', '@rest'] }, async ({
  page,
  another,
  newOwner,
}) => {
  await newOwner(page);
  await page.addInitScript(() => {
    window.print = () => Object.assign(window, { isPrinted: true });
    // As on plain HTTP.
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await page.clock.install();
  await page.goto('/item/new-item');
  await expect(page.getByText('No sticker? You can print one next.')).toBeVisible();
  await page.getByRole('radio', { name: 'Glasses' }).check();
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('An error occurred')).toBeVisible();
  await page.getByRole('button', { name: 'Print a sticker' }).click();
  const sticker = page.getByRole('img', { name: /^Sticker with the QR code tgt-/ });
  await expect(sticker).toBeVisible();
  // A QR code is dark on light, whatever the system's colors.
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  const picture = { name: 'sticker.png', mimeType: 'image/png', buffer: await sticker.screenshot() };
  await page.getByRole('dialog').getByRole('button', { name: 'Print', exact: true }).click();
  expect(await page.evaluate(() => Reflect.get(window, 'isPrinted'))).toBe(true);

  // The success stays while the user acts on it, and only the sticker is printed.
  await page.clock.runFor(10_000);
  await page.emulateMedia({ media: 'print' });
  await expect(sticker).toBeVisible();
  await expect(page.getByRole('heading', { name: 'A sticker to print' })).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Item Tagged!', includeHidden: true })).toBeHidden();

  const finder = await another();
  await finder.goto('/');
  await finder.getByRole('button', { name: 'I found something' }).click();
  await finder.getByRole('dialog').locator('input[type=file]').setInputFiles(picture);
  await expect(finder.getByRole('heading', { name: 'Glasses' })).toBeVisible();
});

test('the success screen after tagging closes after 3 s, unless the user interacts with it', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.clock.install();
  const success = page.getByRole('heading', { name: 'Item Tagged!' });
  const tagAnother = async () => {
    await page.goto(`/item/${newTagCode()}`);
    await page.getByRole('radio', { name: 'Pen' }).check();
    // From here on only the test lets time pass. Again where the moment has gone by.
    await expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 100))).toPass();
    await page.getByRole('button', { name: 'Tag Item' }).click();
    await expect(success).toBeVisible();
  };

  await tagAnother();
  await expect(page.getByText('Taking you to your items in 3 s')).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(page.getByText('Taking you to your items in 2 s')).toBeVisible();
  await page.clock.runFor(2_100);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.clock.resume();

  const acts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['the button', () => page.getByRole('button', { name: 'Stay' }).click()],
    ['a touch', () => success.tap()],
    ['a key', () => page.keyboard.press('ArrowDown')],
    ['the focus', () => page.getByRole('link', { name: 'Return to Dashboard' }).focus()],
    ['scrolling', () => page.evaluate(() => void dispatchEvent(new WheelEvent('wheel')))],
    ['printing', () => page.evaluate(() => void dispatchEvent(new Event('beforeprint')))],
  ];
  for (const [name, act] of acts) {
    await tagAnother();
    await act();
    await expect(page.getByRole('button', { name: 'Stay' }), name).toBeHidden();
    await page.clock.runFor(20_000);
    await expect(success, name).toBeVisible();
    await page.clock.resume();
  }
});

test('the dashboard: empty, full, and its links', async ({ page, another, service, story }) => {
  const newcomer = await another();
  await signIn(newcomer.context(), service.url, story.newcomer);
  await newcomer.goto('/dashboard');
  await expect(newcomer.getByText('No items tagged yet')).toBeVisible();
  await expect(newcomer.getByText('Start by scanning a QR code to tag a new item')).toBeVisible();
  const code = newTagCode();
  await newcomer.goto(`/dashboard?qr_id=${code}`);
  await expect(newcomer).toHaveURL(new RegExp(`/item/${code}$`));

  await signIn(page.context(), service.url, story.session);
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: /wallet/ })).toContainText(/Tagged on/);
  await expect(page.getByRole('button', { name: 'Scan QR to Tag New Item', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Scan QR to tag new item', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page).toHaveURL(/\/profile$/);
});

test.describe('tagging', () => {
  test.use({ refusals: [409, 500, 502] });

  test('the catalogue in rows of 8, 8, and 4, and a custom item, by keyboard alone', async ({
    page,
    service,
    story,
  }) => {
    await signIn(page.context(), service.url, story.newcomer);
    const code = newTagCode();
    await page.goto(`/item/${code}`);
    await expect(page.getByRole('radio')).toHaveCount(21);
    const rows = await page.getByRole('group', { name: 'Item type' }).locator('> div').all();
    expect(await Promise.all(rows.map((row) => row.getByRole('radio').count()))).toEqual([8, 8, 4]);
    await page.getByRole('radio', { name: 'Custom Item' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Please select an item type or enter a custom item name')).toBeVisible();
    const name = page.getByLabel('Item name');
    await name.fill('Cello case');
    await expect(name).toHaveValue('Cello case');
    let respond = () => {};
    const held = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route('**/rest/v1/items?**', async (route) => {
      await held;
      await route.continue();
    });
    await expect(name).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Tagging...' })).toBeDisabled();
    respond();
    await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();
    await expect(page.getByText('Item tagged successfully!')).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.getItem('reunite_qr_id'))).toBeNull();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByRole('heading', { name: 'Cello case' })).toBeVisible();
  });

  test('a lost response creates no second item and no refusal', { tag: '@one-width' }, async ({
    page,
    service,
    story,
  }) => {
    await signIn(page.context(), service.url, story.newcomer);
    await page.goto(`/item/${newTagCode()}`);
    let isCut = true;
    await page.route('**/rest/v1/items?**', async (route) => {
      if (!isCut || route.request().method() !== 'POST') return route.continue();
      // The request arrives each time, but its response never does.
      await route.fetch();
      return route.fulfill({ status: 502, body: '' });
    });
    await page.getByRole('radio', { name: 'Umbrella' }).check();
    await page.getByRole('button', { name: 'Tag Item' }).click();
    await expect(page.getByText('Not saved yet. We’re trying again...')).toBeVisible();
    isCut = false;
    await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();
    await page.getByRole('link', { name: 'Return to Dashboard' }).click();
    await expect(page.getByRole('heading', { name: 'Umbrella' })).toHaveCount(1);
  });

  test('a code that another account claimed first, and a service that fails', { tag: ['@one-width', '@rest'] }, async ({
    page,
    another,
    service,
    story,
  }) => {
    await signIn(page.context(), service.url, story.newcomer);
    const code = newTagCode();
    await page.goto(`/item/${code}`);
    await page.getByRole('radio', { name: 'Pen' }).check();
    await page.route('**/rest/v1/items?**', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
    await page.getByRole('button', { name: 'Tag Item' }).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to tag item. Please try again.');
    await page.unroute('**/rest/v1/items?**');

    const faster = await another();
    await signIn(faster.context(), service.url, story.session);
    await faster.goto(`/item/${code}`);
    await faster.getByRole('radio', { name: 'Bike' }).check();
    await faster.getByRole('button', { name: 'Tag Item' }).click();
    await expect(faster.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();

    await page.getByRole('button', { name: 'Tag Item' }).click();
    await expect(page.getByRole('alert')).toHaveText('This QR code is already tagged to an item');
    await expect(page.getByText('Failed to add item')).toBeVisible();
  });
});
