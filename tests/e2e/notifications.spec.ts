import type { SupabaseClient } from '@supabase/supabase-js';
import { queryDatabase } from '#tests/support/query-database.ts';
import type { ServiceProcess } from '#tests/support/service-process.ts';
import { proveAddress } from './support/prove-address.ts';
import { protocolClients } from './support/register-person.ts';
import { newSubscription, standInPush } from './support/stand-in-push.ts';
import { expect, test } from './support/test.ts';

/** Subscribes the client's session, as the app does in another browser. */
async function subscribe(client: SupabaseClient, serverKey: string): Promise<void> {
  const { endpoint, p256dh, auth } = newSubscription();
  const { error } = await client.rpc('save_push_subscription', {
    endpoint_param: endpoint,
    p256dh_param: p256dh,
    auth_param: auth,
    server_key_param: serverKey,
  });
  expect(error).toBeNull();
}

/** Signs the owner in elsewhere. */
async function elsewhere(service: ServiceProcess, { email, password }: { email: string; password: string }) {
  const client = (await protocolClients(service))();
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
  return client;
}

async function subscriptionsOf(client: SupabaseClient) {
  const { data } = await client.from('push_subscriptions').select('device, endpoint, shows_text, ended_at');
  return data;
}

const ANOTHER_KEY = newSubscription().p256dh;

test('an owner turns notifications on and off for a device, and sees the others', async ({
  page,
  newOwner,
  service,
}) => {
  await standInPush(page, { permission: 'default', decision: 'granted' });
  const owner = await newOwner(page);
  const { client } = owner;
  await page.goto('/profile/notifications');
  await page.getByRole('button', { name: 'Turn on for this device' }).click();
  await expect(page.getByText('Notifications are on')).toBeVisible();
  const devices = page.getByRole('list', { name: 'Your devices with notifications' });
  await expect(devices.getByRole('listitem')).toHaveText(/This device/);
  await page.getByRole('switch', { name: 'Show messages on this device’s lock screen' }).click();
  await expect.poll(() => subscriptionsOf(client)).toMatchObject([{ shows_text: true, ended_at: null }]);
  await devices.getByRole('button', { name: /^Send a test to/ }).click();
  // A push service that does not exist.
  await expect(devices.getByText('Can’t be reached right now. We’ll keep trying.')).toBeVisible();

  await subscribe(await elsewhere(service, owner), ANOTHER_KEY);
  await page.reload();
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await devices.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('Removed')).toBeVisible();
  await expect(devices.getByRole('listitem')).toHaveCount(1);

  await devices.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByRole('button', { name: 'Turn on for this device' })).toBeVisible();
  await expect.poll(() => subscriptionsOf(client)).toEqual([]);
});

test('a browser that blocks notifications shows how to allow them', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  // Without a screen Chromium refuses by itself.
  await newOwner(page);
  await page.goto('/profile/notifications');
  await expect(page.getByText('Your browser blocks notifications from this site.')).toBeVisible();
});

test('a browser that cannot reach its push service says that it did not work', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await standInPush(page, { permission: 'granted', isUnreachable: true });
  const { client } = await newOwner(page);
  await page.goto('/profile/notifications');
  await page.getByRole('button', { name: 'Turn on for this device' }).click();
  await expect(page.getByText('This browser couldn’t turn notifications on.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Turn on for this device' })).toBeEnabled();
  expect(await subscriptionsOf(client)).toEqual([]);
});

test('notifications are offered once an item is lost, and not again where they are put off', { tag: '@rest' }, async ({
  page,
  newOwner,
}) => {
  await standInPush(page, { permission: 'default', decision: 'granted' });
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code);
  const offer = page.getByText('Get a notification on this device as soon as someone writes.');
  await page.goto(`/item/${code}`);
  await expect(page.getByRole('heading', { name: 'Not lost' })).toBeVisible();
  await expect(offer).toBeHidden();
  await page.getByRole('button', { name: 'Mark as lost' }).click();
  await expect(offer).toBeVisible();
  // The form for a note and a reward has such a button of its own.
  await page.locator('form').getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(offer).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Lost' })).toBeVisible();
  await expect(offer).toBeHidden();
});

test('notifications are offered with the first message, and a sign-in renews them', { tag: '@one-width' }, async ({
  page,
  newOwner,
}) => {
  await standInPush(page, { permission: 'default', decision: 'granted' });
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code);
  const message = { qr_id_param: code, body_param: 'I found it' };
  expect((await client.rpc('send_message', message)).error).toBeNull();
  await page.goto(`/item/${code}`);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('Notifications are on')).toBeVisible();
  const [subscription] = (await subscriptionsOf(client)) ?? [];
  expect(subscription).toMatchObject({ ended_at: null });

  // As after a session that ended: the browser has its subscription, and the server no longer.
  await client.from('push_subscriptions').delete().eq('endpoint', subscription?.endpoint);
  await page.goto(`/item/${code}`);
  await expect
    .poll(() => subscriptionsOf(client))
    .toMatchObject([{ endpoint: subscription?.endpoint, ended_at: null }]);
});

test('the dashboard says where notifications have stopped', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  const { client, code } = await newOwner(page);
  // A push for another key of the server ends the subscription.
  await subscribe(client, ANOTHER_KEY);
  expect((await client.rpc('send_message', { qr_id_param: code, body_param: 'I found it' })).error).toBeNull();
  await expect.poll(() => subscriptionsOf(client)).toMatchObject([{ ended_at: expect.any(String) }]);
  await page.goto('/dashboard');
  await expect(page.getByText(/ no longer gets notifications\.$/)).toBeVisible();
  await page.getByRole('link', { name: 'See why' }).click();
  await expect(page.getByRole('region', { name: 'On your devices' })).toBeInViewport();
  await expect(page.getByText('Stopped. Open this app on that device')).toBeVisible();
  await page.getByRole('button', { name: /^Remove / }).click();
  await expect(page.getByText('Removed', { exact: true })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
  await expect(page.getByText(/ no longer gets notifications\.$/)).toBeHidden();
});

for (const { kind, said } of [
  { kind: 'webhook', said: 'Your webhook “Home” stopped accepting our messages.' },
  { kind: 'ntfy', said: 'Your ntfy topic “Home” stopped accepting our messages.' },
])
  test(`the dashboard says that notifications have stopped on an address, and leads to it (${kind})`, {
    tag: ['@one-width', '@rest'],
  }, async ({ page, newOwner, service }) => {
    const { session } = await newOwner(page);
    await queryDatabase(
      service,
      `insert into public.notice_addresses (user_id, kind, name, url, ended_at)
       values ($1, $2, 'Home', 'https://hooks.example.com/reunite', now())`,
      [session.user.id, kind],
    );
    await page.goto('/dashboard');
    await expect(page.getByText(said)).toBeVisible();
    await page.getByRole('link', { name: 'See why' }).click();
    await expect(page).toHaveURL(/#addresses$/);
    await expect(page.locator('#addresses')).toBeInViewport();
    await expect(page.locator('#addresses')).toContainText('Home');
  });

async function noticeSettingsOf(client: SupabaseClient) {
  const { data } = await client
    .from('notice_settings')
    .select('email, push, sms, reminder, quiet_from, quiet_to, time_zone')
    .maybeSingle();
  return data;
}

test('an owner chooses how messages reach them, and sets quiet hours', async ({ page, newOwner }) => {
  const { client } = await newOwner(page);
  await page.goto('/profile/notifications');
  const choice = (name: string) => page.getByRole('switch', { name, exact: true });
  await expect(choice('Email about each message')).toBeChecked();
  await expect(choice('Reminder by email after a day')).toBeChecked();
  await choice('Reminder by email after a day').click();
  await expect.poll(() => noticeSettingsOf(client)).toMatchObject({ email: true, reminder: false, sms: false });

  await expect(choice('Quiet hours')).not.toBeChecked();
  await choice('Quiet hours').click();
  await page.getByLabel('To', { exact: true }).fill('22:00');
  await page.getByRole('button', { name: 'Save quiet hours' }).click();
  await expect(page.getByText('Choose two different times.')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('06:30');
  await page.getByRole('button', { name: 'Save quiet hours' }).click();
  await expect(page.getByText('Quiet hours saved')).toBeVisible();
  const timeZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const quiet = { quiet_from: '22:00:00', quiet_to: '06:30:00', time_zone: timeZone };
  expect(await noticeSettingsOf(client)).toMatchObject({ reminder: false, ...quiet });

  await page.reload();
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('06:30');
  await expect(choice('Reminder by email after a day')).not.toBeChecked();
  await choice('Quiet hours').click();
  await expect.poll(() => noticeSettingsOf(client)).toMatchObject({ quiet_from: null, time_zone: null });
  await expect(page.getByLabel('To', { exact: true })).toBeHidden();
});

test('an owner chooses which messages each way brings, and sees what became of a test', async ({
  page,
  newOwner,
  service,
}) => {
  const { client, session } = await newOwner(page);
  await proveAddress(service, session.user.id);
  await page.goto('/profile/notifications');
  const email = page.getByRole('group', { name: 'Email about each message' });
  await email.getByRole('button', { name: 'Which messages All messages' }).click();
  await email.getByRole('switch', { name: 'More messages from the same person' }).click();
  await expect(email.getByRole('button')).toHaveText('Which messagesSome messages');
  await page
    .getByRole('group', { name: 'Notifications on your devices' })
    .getByRole('button', { name: 'Which messages' })
    .click();
  await page
    .getByRole('group', { name: 'Notifications on your devices' })
    .getByRole('switch', { name: 'Someone new writes' })
    .click();
  await expect
    .poll(async () => (await client.from('notice_settings').select('email, email_has, email_more, push_first')).data)
    .toEqual([{ email: true, email_has: true, email_more: false, push_first: false }]);

  await page.getByRole('button', { name: 'Send me a test alarm: Email about each message' }).click();
  await expect(page.getByText(/^Test sent · .+ Not there\? Look in your spam folder\.$/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Test sent · /)).toBeVisible();
  await expect(email.getByRole('button')).toHaveText('Which messagesSome messages');
  await expect(page.getByRole('heading', { name: 'Always on' })).toBeVisible();
});

test.describe('choices that are refused', () => {
  test.use({ refusals: [400] });

  test('choices that cannot be saved go back, and those that cannot be loaded can be tried again', {
    tag: ['@one-width', '@rest'],
  }, async ({ page, newOwner }) => {
    await newOwner(page);
    await page.route('**/rest/v1/notice_settings**', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 400, body: '{}' }) : route.continue(),
    );
    await page.goto('/profile/notifications');
    const email = page.getByRole('switch', { name: 'Email about each message', exact: true });
    await email.click();
    await expect(page.getByText('We couldn’t save that. Please try again.')).toBeVisible();
    await expect(email).toBeChecked();

    await page.unroute('**/rest/v1/notice_settings**');
    await page.route('**/rest/v1/notice_settings**', (route) => route.fulfill({ status: 400, body: '{}' }));
    await page.reload();
    await expect(page.getByText('We couldn’t load how we tell you about messages.')).toBeVisible();
  });
});

test.describe('webhooks and ntfy', () => {
  // An address that the server does not send to, and one that is there already.
  test.use({ refusals: [400, 409] });

  test('an owner adds a webhook, copies its secret, and sees how a test went', {
    tag: ['@one-width', '@rest'],
  }, async ({ page, newOwner }) => {
    const { client } = await newOwner(page);
    await page.goto('/profile/notifications');
    await page.getByRole('button', { name: 'Add an address' }).click();
    await page.getByRole('button', { name: 'Add an address' }).click();
    await expect(page.getByText('Give it a name of up to 40 characters.')).toBeVisible();
    await page.getByLabel('Name', { exact: true }).fill('Home');
    const url = page.getByRole('textbox', { name: 'Address', exact: true });
    await url.fill('https://127.0.0.1/found');
    await page.getByRole('button', { name: 'Add an address' }).click();
    await expect(page.getByText('This server doesn’t send to that address.')).toBeVisible();
    // A name that leads nowhere.
    await url.fill('https://hook.invalid/found');
    await page.getByRole('button', { name: 'Add an address' }).click();
    const secret = page.getByRole('region', { name: 'Your signing secret' });
    await expect(secret.getByText(/^whsec_/)).toBeVisible();
    await secret.getByRole('button', { name: 'I’ve copied it' }).click();
    await expect(secret).toBeHidden();

    const addresses = page.getByRole('list', { name: 'Your addresses' });
    await expect(addresses.getByText('Nothing sent yet')).toBeVisible();
    await addresses.getByRole('switch').click();
    await expect
      .poll(async () => (await client.from('notice_addresses').select('shows_text')).data)
      .toEqual([{ shows_text: true }]);
    await addresses.getByRole('button', { name: 'Send a test to Home' }).click();
    await expect(addresses.getByText('Can’t be reached right now. We’ll keep trying.')).toBeVisible();
    await page.reload();
    await expect(page.getByText(/whsec_/)).toBeHidden();
    await page.getByRole('button', { name: 'Add an address' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Home again');
    await url.fill('https://hook.invalid/found');
    await page.getByRole('button', { name: 'Add an address' }).click();
    await expect(page.getByText('You already added that address.')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await addresses.getByRole('button', { name: 'Remove Home' }).click();
    await expect(addresses).toBeHidden();
  });
});
