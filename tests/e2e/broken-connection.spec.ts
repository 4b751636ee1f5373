import type { Route } from '@playwright/test';
import { openRow } from './support/open-row.ts';
import { signIn } from './support/sign-in.ts';
import { skipFirstVisit } from './support/skip-first-visit.ts';
import { expect, test } from './support/test.ts';

test.describe('a connection that breaks', { tag: '@one-width' }, () => {
  test.use({ refusals: [500, 502, 'no connection'] });

  test('in the middle of a save: the screen says so, keeps what was typed, and saves once online', async ({
    page,
    newOwner,
  }) => {
    const { client, code } = await newOwner(page);
    await client.from('items').update({ item_name: 'Brown wallet' }).eq('qr_id', code).throwOnError();
    await page.goto(`/item/${code}`);
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

  test('a change that waits for the service can be canceled, and is not sent later', { tag: '@rest' }, async ({
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

  test('is retried on the next screen', { tag: '@rest' }, async ({ page, newOwner }) => {
    const { client, code } = await newOwner(page);
    await client
      .from('items')
      .update({ item_name: 'Brown wallet', email_enabled: false })
      .eq('qr_id', code)
      .throwOnError();
    await page.goto(`/item/${code}`);
    let isCut = true;
    await page.route('**/rest/v1/items?**', (route) =>
      isCut && route.request().method() === 'PATCH' ? route.fulfill({ status: 502, body: '' }) : route.continue(),
    );
    await openRow(page, 'How finders can reach you');
    await page.getByRole('switch', { name: 'Email' }).click();
    await expect(page.getByText('Not saved yet. We’re trying again...')).toBeVisible();
    await page.getByRole('link', { name: 'Return to Dashboard' }).click();
    await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
    isCut = false;
    await saved;
    await page.goto(`/item/${code}#ways`);
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

  test('marks an item as lost later, and says until then that it is not saved', { tag: '@rest' }, async ({
    page,
    newOwner,
  }) => {
    const { code } = await newOwner(page);
    await page.goto(`/item/${code}`);
    await skipFirstVisit(page);
    let isCut = true;
    await page.route('**/rest/v1/items?**', (route) =>
      isCut && route.request().method() === 'PATCH' ? route.fulfill({ status: 502, body: '' }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Mark as lost' }).click();
    await expect(page.getByText('Not saved yet. We’re trying again...')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Not lost' })).toBeVisible();
    isCut = false;
    await expect(page.getByRole('heading', { name: 'Reported lost' })).toBeVisible();
  });

  test('an item that waits to be marked as lost can be left as it is', { tag: '@rest' }, async ({ page, newOwner }) => {
    const { client, code } = await newOwner(page);
    await page.goto(`/item/${code}`);
    await skipFirstVisit(page);
    const held: Route[] = [];
    await page.route('**/rest/v1/items?**', (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      // The second attempt is under way when it is canceled.
      return held.push(route) === 1 ? route.fulfill({ status: 502, body: '' }) : undefined;
    });
    await page.getByRole('button', { name: 'Mark as lost' }).click();
    await expect.poll(() => held.length).toBe(2);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await held[1]?.fulfill({ status: 502, body: '' });
    await expect(page.getByText('Not saved yet. We’re trying again...')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Mark as lost' })).toBeEnabled();
    const { data } = await client.from('items').select('lost_at').single().throwOnError();
    expect(data.lost_at).toBeNull();

    await page.unroute('**/rest/v1/items?**');
    await page.getByRole('button', { name: 'Mark as lost' }).click();
    await expect(page.getByRole('heading', { name: 'Reported lost' })).toBeVisible();
    expect(held).toHaveLength(2);
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
