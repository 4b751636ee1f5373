import { signIn } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test.use({ refusals: ['no connection'] });

test('the list says what each page of the settings holds, and each leads back', async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  const invitation = { email_param: `friend-${crypto.randomUUID()}@example.com`, phone_param: null };
  expect((await client.rpc('invite_second_contact', invitation)).error).toBeNull();
  expect((await client.from('notice_settings').upsert({ user_id: session.user.id, email: false })).error).toBeNull();
  await page.goto('/profile');
  const list = page.getByRole('navigation', { name: 'Settings' });
  const row = (name: string) => list.getByRole('link', { name: new RegExp(`^${name}`) });
  await expect(row('How finders can reach you')).toContainText('WhatsApp');
  await expect(row('Notifications')).toContainText('Off');
  await expect(row('Who else is told')).toContainText('1 invited');
  await expect(row('Security')).toContainText('Two-step verification is off');
  for (const name of ['How finders can reach you', 'Notifications', 'Who else is told', 'Security', 'Your data']) {
    await row(name).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'true');
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await expect(page).toHaveURL('/profile');
  }
});

test('addresses of the parts that were once on one page lead to theirs', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  const pages = {
    '#notices': ['notifications', 'When someone writes'],
    '#notifications': ['notifications', 'On your devices'],
    '#addresses': ['notifications', 'Webhooks and ntfy'],
    '#contacts': ['contacts', 'Second contacts'],
    '#changes': ['security', 'Recent changes'],
  } as const;
  for (const [hash, [address, heading]] of Object.entries(pages)) {
    await page.goto('/');
    await page.goto(`/profile${hash}`);
    await expect(page).toHaveURL(`/profile/${address}${hash}`);
    await expect(
      page
        .getByRole('heading', { name: heading })
        .or(page.getByRole('region', { name: heading }))
        .first(),
    ).toBeInViewport();
  }
});

test('a page of the settings asks only for what it shows', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  const asked = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(?:auth|rest)\/v1\//.test(pathname)) asked.add(pathname.replace(/^\/rest\/v1\//, ''));
  });
  await page.goto('/profile/contacts');
  await expect(page.getByRole('button', { name: 'Invite someone' })).toBeVisible();
  expect([...asked].sort()).toEqual(['/auth/v1/user', 'rpc/has_password', 'second_contacts']);
});

test('every screen of a signed-in user has the menu, which marks where they are', async ({ page, service, story }) => {
  await signIn(page.context(), service.url, story.session);
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  const places = {
    '/dashboard': ['Items', 'page'],
    [`/item/${story.codes.keys}`]: ['Items', 'true'],
    '/spreadsheet': ['Items', 'true'],
    '/stickers': ['Stickers', 'page'],
    '/profile': ['Settings', 'page'],
    '/profile/security': ['Settings', 'true'],
  } as const;
  for (const [address, [name, current]] of Object.entries(places)) {
    await page.goto(address);
    await expect(menu.getByRole('link', { name })).toHaveAttribute('aria-current', current);
    await expect(menu.locator('[aria-current]')).toHaveCount(1);
    await expect(page.getByRole('button', { name: address === '/profile' ? 'Sign Out' : 'Log out' })).toBeVisible();
  }
});

test('the menu of a phone covers neither the end of the page, nor a focused control, nor a notice', async ({
  page,
  newOwner,
}) => {
  await newOwner(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/profile/security');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await expect(page.getByRole('heading', { name: 'Recent changes' })).toBeVisible();
  const topOfMenu = async () => (await menu.boundingBox())?.y ?? 0;
  expect(await topOfMenu()).toBeGreaterThan(560);

  const focused = page.locator(':focus');
  for (let tabs = 0; tabs < 25; tabs++) {
    await page.keyboard.press('Tab');
    if ((await focused.count()) === 0 || (await menu.locator(':focus').count()) > 0) continue;
    const box = await focused.boundingBox();
    // A list that scrolls is higher than the window.
    if (box !== null && box.height < 200) expect(box.y + box.height).toBeLessThanOrEqual(await topOfMenu());
  }
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const footer = await page.getByRole('contentinfo').boundingBox();
  expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual((await topOfMenu()) + 1);

  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Log out' }).click();
  const notice = page.getByText('Failed to sign out');
  await expect(notice).toBeVisible();
  await expect(async () => {
    const box = await notice.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(await topOfMenu());
  }).toPass();
  await page.context().setOffline(false);
});
