import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { countSubscriptions } from './support/count-subscriptions.ts';
import { signIn } from './support/sign-in.ts';
import { expect, newTagCode, test } from './support/test.ts';

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
  const ofItems = page.getByText(/^Finders can’t reach you about (Red|Blue) kite or (Red|Blue) kite\.$/);
  await expect(ofItems).toBeVisible();

  // The account's contact methods are closed as well, and so are those without a setting of their own.
  expect((await client.from('profiles').update(closed).eq('id', ownerId)).error).toBeNull();
  await page.reload();
  const ofAccount = page.getByText('Finders can’t reach you, except about items with their own settings.');
  await expect(ofAccount).toBeVisible();
  await expect(ofItems).toBeHidden();
  await page.goto('/profile/finders');
  await expect(ofAccount).toBeVisible();

  // One way each is enough.
  const open = { message_enabled: true };
  expect((await client.from('items').update(open).eq('user_id', ownerId)).error).toBeNull();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Red kite' })).toBeVisible();
  await expect(ofAccount).toBeHidden();
  await expect(ofItems).toBeHidden();
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
  await expect(page).toHaveURL(new RegExp(`/item/${codes.young}#thread-`));
  await expect(page.getByText('And another one')).toBeInViewport();

  // What a screen shows is not announced over it any more.
  await returnToDashboard(5);
  await finder.getByLabel('Your message').fill('And one more');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  const notice = page.getByRole('link', { name: 'Read', exact: true });
  await expect(notice).toBeVisible();
  await page.getByRole('link', { name: '1 new message', exact: true }).click();
  await expect(page.getByText('And one more')).toBeInViewport();
  await expect(notice).toBeHidden({ timeout: 4_000 });
});

test('what is read on another screen is no longer counted, on the dashboard and at the icon of the app', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  // In one conversation, which is in view as a whole.
  const finder = { qr_id_param: code, finder_key_param: `${code}-finder` };
  const write = async (body: string) =>
    expect((await client.rpc('send_message', { ...finder, body_param: body })).error).toBeNull();
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
  const subscriptions = countSubscriptions(page);
  await page.goto('/dashboard');
  const total = page.getByRole('link', { name: /^\d new messages?$/ });
  await expect(total).toHaveText('2 new messages');
  await expect.poll(subscriptions).toBe(1);
  await other.goto(`/item/${code}`);
  await expect(other.getByText('Two')).toBeVisible();
  await other.mouse.move(100, 100);
  await other.mouse.move(120, 110);
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
  await expect(line(`open the link we sent to ${email}`)).toContainText(
    'we’ll email you about only 3 more conversations',
  );
  for (const left of [2, 1]) {
    await write(`${left} left`);
    await expect.poll(sent).toBe(3 - left);
    await page.reload();
    await expect(line(`open the link we sent to ${email}`)).toContainText(
      `we’ll email you about only ${left} more conversation`,
    );
  }
  const stopped = `${email} isn’t confirmed, so we stopped emailing you after 3 conversations.`;
  await write('The last one with an email');
  await expect.poll(sent).toBe(3);
  await page.reload();
  await expect(line(stopped)).not.toContainText('since');
  await write('One without');
  await expect.poll(async () => (await client.rpc('count_unproved_notices')).data, 'the job has counted it').toBe(4);
  await page.reload();
  await expect(line(stopped)).toContainText('You’ve had 1 more since.');
  await page.goto('/profile');
  await expect(line(stopped)).toContainText('You’ve had 1 more since.');
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
  await expect(reader.getByRole('heading', { name: 'We removed your email' })).toBeVisible();
  expect((await client.auth.getUser()).data.user?.email).toBe('');

  await page.goto('/dashboard');
  await expect(page.getByText('Your account has no email address')).toBeVisible();
  await page.getByRole('link', { name: 'Add your email' }).click();
  await expect(page.getByRole('heading', { name: 'Your Profile' })).toBeVisible();

  // A message about an item that the dashboard has not loaded also links to its conversation.
  const subscriptions = countSubscriptions(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: /My Tagged Item/ })).toBeVisible();
  await expect.poll(subscriptions).toBe(1);
  const late = newTagCode();
  const claimed = { qr_id_param: late, user_id_param: (await client.auth.getUser()).data.user?.id };
  expect((await client.rpc('register_qr_code', claimed)).error).toBeNull();
  expect(code).not.toBe(late);
  const finder = await another();
  await finder.goto(`/item/${late}`);
  await finder.getByLabel('Your message').fill('From the last bus');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  await page.getByRole('link', { name: 'Read', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/item/${late}#thread-`));
  await expect(page.getByText('From the last bus')).toBeInViewport();
});

test('the dashboard greets by the name in the profile, not by the one of the registration', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  expect(session.user.user_metadata).toMatchObject({ full_name: 'Dana Levi' });
  await page.goto('/dashboard');
  await expect(page.getByText('Hello, Dana')).toBeVisible();
  await client.from('profiles').update({ full_name: 'Noa Levi' }).eq('id', session.user.id).throwOnError();
  await page.reload();
  await expect(page.getByText('Hello, Noa')).toBeVisible();
  await expect(page.getByText('Hello, Dana')).toBeHidden();
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
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL(/\/profile$/);
});

test('an owner sees the first item on the first screen of the smallest phone', { tag: '@one-width' }, async ({
  page,
  service,
  story,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await signIn(page.context(), service.url, story.session);
  await page.goto('/dashboard');
  // Whichever has the newest message: other tests write about the same items.
  const name = await page.getByRole('listitem').getByRole('heading', { level: 2 }).first().boundingBox();
  const menu = await page.getByRole('navigation', { name: 'Main menu' }).boundingBox();
  expect((name?.y ?? 0) + (name?.height ?? 0)).toBeLessThan((menu?.y ?? 0) - 40);
});

test('an owner of many items finds one by its words or its code, and those with news or that are lost by a button', async ({
  page,
  newOwner,
}) => {
  const { client, session } = await newOwner(page);
  const codes = Array.from({ length: 12 }, () => newTagCode());
  const names = ['Vélo bleu', 'House keys', ...Array.from({ length: 10 }, (_, at) => `Box ${at + 1}`)];
  const rows = names.map((item_name, at) => ({
    item_name,
    description: at === 1 ? 'With a red ribbon' : null,
    item_type: 'custom',
    qr_id: codes[at],
    user_id: session.user.id,
  }));
  await client.from('items').insert(rows).throwOnError();
  await client.from('items').update({ lost_at: new Date().toISOString() }).eq('item_name', 'Box 10').throwOnError();
  for (const at of [1, 0]) {
    await client.rpc('send_message', { qr_id_param: codes[at], body_param: 'I have it' }).throwOnError();
  }
  await page.goto('/dashboard');
  const cards = page.getByRole('listitem').getByRole('heading', { level: 2 });
  await expect(cards).toHaveCount(13);
  // The newest message first, and the pill leads to it.
  await expect(cards.first()).toHaveText('Vélo bleu');
  await expect(cards.nth(1)).toHaveText('House keys');
  await expect(cards.nth(2)).toHaveText('Box 10');
  await expect(page.getByRole('link', { name: '2 new messages' })).toHaveAttribute('href', new RegExp(codes[0] ?? ''));

  const field = page.getByRole('searchbox', { name: 'Search your items' });
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await page.keyboard.type('velo');
  await expect(cards).toHaveText(['Vélo bleu']);
  // The item that is named so comes before a lost one.
  await field.fill('box 1');
  await expect(cards).toHaveText(['Box 1', 'Box 10']);
  await field.fill('ribbon red');
  await expect(cards).toHaveText(['House keys']);
  await field.fill(typedCodeOf(codes[5] ?? '').toLowerCase());
  await expect(cards).toHaveText(['Box 4']);
  await field.fill('nothing like this');
  await expect(page.getByRole('heading', { name: 'No item found' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all items' }).click();
  await expect(cards).toHaveCount(13);

  const withNews = page.getByRole('button', { name: 'New messages (2)' });
  await withNews.click();
  await expect(withNews).toHaveAttribute('aria-pressed', 'true');
  await expect(cards).toHaveText(['Vélo bleu', 'House keys']);
  await page.getByRole('button', { name: 'Lost (1)' }).click();
  await expect(cards).toHaveText(['Box 10']);
  // It is there again on the way back.
  await cards.first().click();
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(cards).toHaveText(['Box 10']);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
});

test('200 items are shown as they are needed, all are searched, and the way back leads to the same place', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  const rows = Array.from({ length: 200 }, (_, at) => ({
    item_name: `Book ${at}`,
    item_type: 'book',
    qr_id: newTagCode(),
    user_id: session.user.id,
  }));
  await client.from('items').insert(rows).throwOnError();
  await page.goto('/dashboard');
  const cards = page.getByRole('listitem').getByRole('heading', { level: 2 });
  await expect(cards).toHaveCount(24);
  await page.getByRole('searchbox').fill('Book 137');
  await expect(cards).toHaveText(['Book 137']);
  await page.getByRole('searchbox').fill('');

  // The last card is never reached before all are there.
  const last = page.getByRole('button', { name: 'Scan QR to tag new item', exact: true });
  await expect(async () => {
    await last.scrollIntoViewIfNeeded();
    expect(await cards.count()).toBe(201);
  }).toPass();
  await cards.nth(150).click();
  await expect(page).toHaveURL(/\/item\//);
  await page.goBack();
  await expect(cards.nth(150)).toBeInViewport();
});

test('the keyboard shortcuts are listed under ?, which is a letter like others in a field', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/profile');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.getByRole('link', { name: 'Settings' }).focus();
  await page.keyboard.press('?');
  await expect(list).toContainText('Search your items');
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await page.getByRole('button', { name: 'Edit' }).first().click();
  const field = page.getByRole('textbox').first();
  await field.focus();
  await page.keyboard.press('?');
  await expect(field).toHaveValue(/\?/);
  await expect(list).toBeHidden();
});
