import type { Page } from '@playwright/test';
import { expect, newTagCode, test } from './support/test.ts';

/** What a slow connection may have to carry (`docs/benchmarks.md`): before an owner sees items, one item, the profile or the stickers, and for the first page. */
const MOST_REQUESTS = 23;
const MOST_BYTES = 168_000;
const MOST_ITEM_REQUESTS = 28;
const MOST_ITEM_BYTES = 197_000;
const MOST_PROFILE_REQUESTS = 34;
const MOST_PROFILE_BYTES = 191_000;
const MOST_STICKERS_REQUESTS = 35;
const MOST_STICKERS_BYTES = 217_000;
const MOST_LANDING_BYTES = 30_000;

interface Asked {
  readonly path: string;
  bytes: number;
}

/**
 * Records every request of the page from now on, with the received bytes, headers included. Left out is the icon of the
 * tab, which only browsers with a user interface fetch, after all else.
 */
async function watchTraffic(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const asked = new Map<string, Asked>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname, search, protocol } = new URL(request.url);
    if (protocol === 'http:' && pathname !== '/favicon.svg')
      asked.set(requestId, { path: pathname + search, bytes: 0 });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = asked.get(requestId);
    if (one !== undefined) one.bytes = encodedDataLength;
  });
  return {
    all: () => [...asked.values()].map((one) => ({ ...one })),
    bytes: () => [...asked.values()].reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Holds the framework back until `mayArrive` is called. `requests` are the paths of all requests from now on. */
async function holdFramework(page: Page) {
  const { promise, resolve: mayArrive } = Promise.withResolvers<void>();
  await page.route('**/assets/framework-*.js', (route) => promise.then(() => route.continue()));
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  return { requests, mayArrive };
}

/** Opens a screen whose data is held back until `mayReply` is called, so that everything else that an owner waits for is counted. */
async function loadUntilData(page: Page, path: string, lastData: string) {
  const traffic = await watchTraffic(page);
  const { promise, resolve: mayReply } = Promise.withResolvers<void>();
  await page.route('**/rest/v1/**', (route) => promise.then(() => route.continue()));
  const isAsked = page.waitForRequest(lastData);
  await page.goto(path);
  await isAsked;
  await page.waitForFunction(() => new Promise((idle) => requestIdleCallback(() => idle(true))));
  const isAwaited = ({ path, bytes }: Asked) => path.startsWith('/assets/') && bytes === 0;
  await expect.poll(() => traffic.all().filter(isAwaited)).toEqual([]);
  return { traffic, mayReply };
}

test('an owner sees items after few requests, each made once; what other screens need comes later', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  const more = ['Keys', 'Bag', 'Laptop'].map((item_name) => {
    return { qr_id: newTagCode(), user_id: session.user.id, item_type: 'custom', item_name };
  });
  await client.from('items').insert(more).throwOnError();
  const traffic = await watchTraffic(page);
  // The data is held back, so that everything else that an owner waits for is counted.
  const mayReply = Promise.withResolvers<void>();
  await page.route(/\/(?:auth|rest)\/v1\//, (route) => mayReply.promise.then(() => route.continue()));
  const isAsked = page.waitForRequest('**/rest/v1/items?**');
  await page.goto('/dashboard');
  await isAsked;
  await page.waitForFunction(() => new Promise((idle) => requestIdleCallback(() => idle(true))));
  const isOfAnotherScreen = ({ path }: Asked) =>
    /\/assets\/(?:auth-client|landing|profile|item|privacy|scanner)-[\w-]{8}\.js$/.test(path);
  expect(traffic.all().filter(isOfAnotherScreen)).toEqual([]);
  // Everything but the data has been received: the document's load includes all scripts.
  expect(traffic.all().length).toBeLessThanOrEqual(MOST_REQUESTS);
  const scripts = traffic.bytes();
  const isData = ({ path }: Asked) => /^\/(?:auth|rest)\/v1\//.test(path);
  const requested = traffic.all().filter(isData).length;

  mayReply.resolve();
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();

  // The other screens and the live connection are loaded as well, and the data was requested once.
  await expect.poll(() => traffic.all().filter(isOfAnotherScreen).length).toBeGreaterThan(3);
  await page.waitForLoadState('networkidle');
  const data = traffic.all().filter(isData);
  expect(data.filter(({ path }) => path.startsWith('/rest/v1/items'))).toHaveLength(1);
  const shown = data.slice(0, requested).reduce((sum, { bytes }) => sum + bytes, 0);
  expect(scripts + shown).toBeLessThanOrEqual(MOST_BYTES);
});

test('no request for the data of the dashboard waits for another', { tag: '@one-width' }, async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  const mayReply = Promise.withResolvers<void>();
  const asked = new Set<string>();
  await page.route(/\/(?:auth|rest)\/v1\//, async (route) => {
    asked.add(new URL(route.request().url()).pathname);
    await mayReply.promise;
    await route.continue();
  });
  await page.goto('/dashboard');
  await expect
    .poll(() => [...asked].sort())
    .toEqual([
      '/auth/v1/user',
      '/rest/v1/items',
      '/rest/v1/notice_addresses',
      '/rest/v1/profiles',
      '/rest/v1/push_subscriptions',
      '/rest/v1/rpc/count_unproved_notices',
      '/rest/v1/rpc/item_news',
      '/rest/v1/rpc/list_transfers',
    ]);
  mayReply.resolve();
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
});

test('the data of the dashboard is requested before the framework has arrived, and once', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  await newOwner(page);
  const { requests, mayArrive } = await holdFramework(page);
  const isLoaded = page.waitForResponse('**/rest/v1/items?**');
  const document = page.goto('/dashboard');
  await isLoaded;
  mayArrive();
  await document;
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(requests.filter((path) => path === '/rest/v1/items')).toHaveLength(1);
});

test('an owner sees an item after few requests, each made once; what opens on it comes later', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { code, client } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code).throwOnError();
  const traffic = await watchTraffic(page);
  const isData = ({ path }: Asked) => /^\/(?:auth|rest)\/v1\//.test(path);
  const opensLater = ({ path }: Asked) =>
    /\/assets\/(?:give-item|delete-item-dialog|item-editor|take-back-sheet|contact-method-switches|finder-view)-/.test(
      path,
    );
  // The last data is held back, so that everything else that an owner waits for is counted.
  const mayReply = Promise.withResolvers<void>();
  await page.route('**/rest/v1/item_offers?**', (route) => mayReply.promise.then(() => route.continue()));
  const isAsked = page.waitForRequest('**/rest/v1/item_offers?**');
  await page.goto(`/item/${code}`);
  await isAsked;
  await page.waitForFunction(() => new Promise((idle) => requestIdleCallback(() => idle(true))));
  expect(traffic.all().filter(opensLater)).toEqual([]);
  const requested = traffic.all().length;
  expect(requested).toBeLessThanOrEqual(MOST_ITEM_REQUESTS);

  mayReply.resolve();
  await page.getByRole('heading', { name: 'Keys' }).waitFor();

  await expect.poll(() => traffic.all().filter(opensLater).length).toBeGreaterThan(0);
  await page.waitForLoadState('networkidle');
  const asked = traffic.all();
  const paths = asked.filter(isData).map(({ path }) => path);
  expect(paths.filter((path, place) => paths.indexOf(path) !== place)).toEqual([]);
  const bytes = asked.slice(0, requested).reduce((sum, one) => sum + one.bytes, 0);
  expect(bytes).toBeLessThanOrEqual(MOST_ITEM_BYTES);
});

test('an owner sees the profile after few requests; its form and dialog come later', { tag: '@one-width' }, async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  const { traffic, mayReply } = await loadUntilData(page, '/profile', '**/rest/v1/second_contacts?**');
  const opensLater = ({ path }: Asked) => /\/assets\/(?:phone-dialog|profile-edit)-/.test(path);
  expect(traffic.all().filter(opensLater)).toEqual([]);
  expect(traffic.all().length).toBeLessThanOrEqual(MOST_PROFILE_REQUESTS);
  expect(traffic.bytes()).toBeLessThanOrEqual(MOST_PROFILE_BYTES);

  mayReply();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await expect.poll(() => traffic.all().filter(opensLater).length).toBe(2);
});

test('the form of the profile has the focus although its code arrives late', { tag: '@one-width' }, async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  const { promise, resolve: mayArrive } = Promise.withResolvers<void>();
  await page.route('**/assets/profile-edit-*.js', (route) => promise.then(() => route.continue()));
  await page.goto('/profile');
  const edit = page.getByRole('button', { name: 'Edit' });
  await edit.click();
  await expect(edit).toHaveAttribute('aria-busy', 'true');
  mayArrive();
  await expect(page.getByRole('textbox', { name: 'Full name' })).toBeFocused();
});

test('an owner chooses stickers after few requests; the search for labels and the check of codes come later', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  await newOwner(page);
  const { traffic, mayReply } = await loadUntilData(page, '/stickers', '**/rest/v1/measured_labels?**');
  const opensLater = ({ path }: Asked) => /\/assets\/(?:format-picker|zxing|decode)/.test(path);
  expect(traffic.all().filter(opensLater)).toEqual([]);
  expect(traffic.all().length).toBeLessThanOrEqual(MOST_STICKERS_REQUESTS);
  expect(traffic.bytes()).toBeLessThanOrEqual(MOST_STICKERS_BYTES);

  mayReply();
  await page.getByRole('checkbox').first().waitFor();
  await expect.poll(() => traffic.all().filter(opensLater).length).toBeGreaterThan(0);
});

test('the data of an item is requested before the framework has arrived, and once', { tag: '@one-width' }, async ({
  page,
  newOwner,
}) => {
  const { code } = await newOwner(page);
  const { requests, mayArrive } = await holdFramework(page);
  const areLoaded = [
    'items',
    'qr_codes',
    'messages',
    'conversations',
    'channel_openings',
    'profiles',
    'item_offers',
  ].map((table) => page.waitForResponse(`**/rest/v1/${table}?**`));
  const document = page.goto(`/item/${code}`);
  await Promise.all(areLoaded);
  mayArrive();
  await document;
  await page.getByRole('button', { name: 'Skip for now' }).waitFor();
  await page.waitForLoadState('networkidle');
  for (const path of ['/rest/v1/items', '/rest/v1/item_offers'])
    expect(requests.filter((requested) => requested === path)).toHaveLength(1);
});

test('the data and the code of the screen of stickers are requested before the framework has arrived, and once', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  await newOwner(page);
  const { requests, mayArrive } = await holdFramework(page);
  const areLoaded = ['**/rest/v1/items?**', '**/rest/v1/rpc/list_blank_codes', '**/assets/stickers-screen-*.js'].map(
    (address) => page.waitForResponse(address),
  );
  const document = page.goto('/stickers');
  await Promise.all(areLoaded);
  mayArrive();
  await document;
  await page.getByRole('radio').or(page.getByRole('checkbox')).first().waitFor();
  await page.waitForLoadState('networkidle');
  for (const path of ['/rest/v1/items', '/rest/v1/rpc/list_blank_codes'])
    expect(requests.filter((requested) => requested === path)).toHaveLength(1);
});

test('the page of an item has its header before the framework has arrived', { tag: '@one-width' }, async ({
  page,
  newOwner,
}) => {
  const { code } = await newOwner(page);
  const { mayArrive } = await holdFramework(page);
  await page.goto(`/item/${code}`, { waitUntil: 'commit' });
  const back = page.getByRole('link', { name: 'Back', exact: true });
  await expect(back).toHaveAttribute('href', '/dashboard');
  // Until its styles have arrived it is in another place.
  await expect(back).toHaveCSS('display', 'grid');
  const place = await back.boundingBox();
  await expect(page.getByText('Loading...')).toBeVisible();
  mayArrive();
  await page.getByRole('button', { name: 'Skip for now' }).waitFor();
  expect(await back.boundingBox()).toEqual(place);
});

test('the first page can be used after few bytes, and requests no more by itself', { tag: '@one-width' }, async ({
  page,
}) => {
  const traffic = await watchTraffic(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(traffic.bytes()).toBeLessThanOrEqual(MOST_LANDING_BYTES);
  expect(traffic.all().filter(({ path }) => path.endsWith('.js'))).toEqual([]);
});
