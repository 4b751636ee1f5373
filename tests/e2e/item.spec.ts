import { openRow } from './support/open-row.ts';
import { signIn } from './support/sign-in.ts';
import { expect, newTagCode, test } from './support/test.ts';

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
  newOwner,
}) => {
  const { client, session } = await newOwner(page);
  const code = newTagCode();
  const item = { qr_id: code, item_type: 'backpack', item_name: 'School backpack', description: 'Blue' };
  await client
    .from('items')
    .insert({ ...item, user_id: session.user.id })
    .throwOnError();
  await page.goto(`/item/${code}`);
  await page.getByRole('button', { name: 'Edit item' }).click();
  await expect(page.getByRole('heading', { name: 'Edit item' })).toBeFocused();
  await expect(page.getByRole('radio', { name: 'Backpack' })).toBeChecked();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill(' ');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a name')).toBeVisible();
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
  await finder.goto(`/item/${code}`);
  await expect(finder.getByRole('heading', { name: 'Sports bag' })).toBeVisible();
  await expect(finder.getByText('Please ring the bell')).toBeVisible();
  await expect(finder.getByText('Green')).toBeHidden();

  await page.getByRole('button', { name: 'Edit item' }).click();
  await name.fill('Thrown away');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sports bag' })).toBeVisible();
});

test('an item is marked as lost with a note, and is back again', async ({ page, another, newOwner }) => {
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code).throwOnError();
  await page.goto(`/item/${code}`);
  // One tap, and what a finder should know afterwards.
  await page.getByRole('button', { name: 'Mark as lost' }).click();
  await expect(page.getByRole('heading', { name: 'Reported lost' })).toBeFocused();
  await expect(page.getByRole('status').getByText('Marked as lost')).toBeAttached();
  await expect(page.getByRole('region', { name: 'Notifications' })).toBeEmpty();
  await page.getByLabel('Note to finders (optional)').fill('Lost on bus 18');
  await page.getByLabel('Reward (optional)').fill('A homemade cake');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Change the note or the reward' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Reported lost' })).toBeFocused();
  const finder = await another();
  await finder.goto(`/item/${code}`);
  await expect(finder.getByText('Reported lost')).toBeVisible();
  await expect(finder.getByText('Lost on bus 18')).toBeVisible();
  await expect(finder.getByText('A homemade cake')).toBeVisible();

  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await client.from('items').update({ lost_at: hourAgo }).eq('qr_id', code).throwOnError();
  await page.reload();
  await page.getByRole('button', { name: 'I have it back', exact: true }).click();
  // What was promised ends with it, if the owner does not say otherwise.
  const sheet = page.getByRole('dialog', { name: 'Glad you have it back' });
  await expect(sheet.getByRole('switch', { name: 'Clear the note to finders' })).toBeChecked();
  await sheet.getByRole('switch', { name: 'Clear the reward' }).click();
  await sheet.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Not lost' })).toBeFocused();
  await expect(page.getByRole('status').getByText('It’s no longer marked as lost.')).toBeAttached();
  const { data } = await client.from('items').select('lost_at, note_to_finders, reward').single().throwOnError();
  expect(data).toEqual({ lost_at: null, note_to_finders: null, reward: 'A homemade cake' });
  await expect(page.getByRole('button', { name: 'Mark as lost' })).toBeVisible();
});

test('an item that was marked as lost by mistake is as before after one tap, and no conversation has ended', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  await client.rpc('send_message', { qr_id_param: code, body_param: 'Is it yours?' }).throwOnError();
  await page.clock.install();
  await page.goto(`/item/${code}`);
  await page.getByRole('button', { name: 'Mark as lost' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'Not lost' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'I have it back from Finder 1' })).toBeVisible();
  const { data } = await client
    .from('conversations')
    .select('returned_at, item:items(lost_at)')
    .single()
    .throwOnError();
  expect(data).toEqual({ returned_at: null, item: { lost_at: null } });

  // After some minutes it is no mistake any more.
  await page.getByRole('button', { name: 'Mark as lost' }).click();
  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.clock.fastForward('05:01');
  await expect(page.getByRole('button', { name: 'I have it back', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden();
  // Who uses a keyboard stays here.
  await expect(page.getByRole('heading', { name: 'Reported lost' })).toBeFocused();
});

test('whether an item is lost stays readable in letters of twice the size', { tag: '@one-width' }, async ({
  page,
  newOwner,
}) => {
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code).throwOnError();
  await page.goto(`/item/${code}`);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  for (const [name, press] of [
    ['Not lost', 'Mark as lost'],
    ['Reported lost', 'Undo'],
  ] as const) {
    const title = page.getByRole('heading', { name });
    await expect(title).toBeVisible();
    // At most two lines. The letters are 36 pixels high.
    expect((await title.boundingBox())?.height).toBeLessThan(120);
    await page.getByRole('button', { name: press }).click();
  }
});

test('a double tap on "Mark as lost" marks the item, and undoes nothing', { tag: '@one-width' }, async ({
  page,
  newOwner,
}) => {
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code).throwOnError();
  await page.goto(`/item/${code}`);
  // The moment after the first tap lasts as long as the test needs.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.after-double-tap { animation-play-state: paused }');
    document.adoptedStyleSheets = [sheet];
  });
  await page.getByRole('button', { name: 'Mark as lost' }).press('Enter');
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  const place = await undo.boundingBox();
  if (place === null) throw new Error('"Undo" is not shown.');
  await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
  await expect(undo).toBeEnabled();
  const { data } = await client.from('items').select('lost_at').single().throwOnError();
  expect(data.lost_at).not.toBeNull();

  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });
  await undo.click();
  await expect(page.getByRole('heading', { name: 'Not lost' })).toBeFocused();
});

test('the hint names the open contact methods of the item, and the switches warn if there is none', {
  tag: '@rest',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code).throwOnError();
  await page.goto(`/item/${code}`);
  await openRow(page, 'How finders can reach you');
  const hint = page.getByRole('region', { name: 'How finders can reach you' });
  const left = [
    ['WhatsApp', 'By call, email, and anonymous message.'],
    ['Call', 'By email and anonymous message.'],
    ['Email', 'By anonymous message.'],
    ['Anonymous message', 'Finders can’t reach you about this item.'],
  ] as const;
  const warning = page.getByRole('status').getByText('Finders can’t reach you about this item.');
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
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code).throwOnError();
  await page.goto(`/item/${code}`);
  await openRow(page, 'How finders can reach you');
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
  await openRow(page, 'How finders can reach you');
  await expect(call).toBeChecked();
});

test('the first-run hint says which contact methods are open, and closes all but messages', { tag: '@rest' }, async ({
  page,
  another,
  newOwner,
}) => {
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code).throwOnError();
  await page.goto(`/item/${code}`);
  await openRow(page, 'How finders can reach you');
  const hint = page.getByRole('region', { name: 'How finders can reach you' });
  await expect(hint).toContainText('By WhatsApp, call, email, and anonymous message.');
  await hint.getByRole('button', { name: 'Messages only' }).click();
  await expect(page.getByText('For all your items, finders can now reach you by anonymous message only')).toBeVisible();
  await expect(hint.getByRole('button', { name: 'Messages only' })).toBeHidden();
  await expect(hint.getByRole('heading').getByRole('button')).toBeFocused();
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

test('what an owner writes begins on the side of its script, and an empty field on that of the page', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  const code = newTagCode();
  const item = { qr_id: code, item_type: 'backpack', item_name: 'School backpack', user_id: session.user.id };
  await client.from('items').insert(item).throwOnError();
  await page.goto(`/item/${code}`);
  await page.getByRole('button', { name: 'Edit item' }).click();
  const fields = [page.getByLabel('Name', { exact: true }), page.getByLabel('Note to finders (optional)')];
  for (const [direction, text] of [
    ['rtl', 'Lost on bus 18.'],
    ['ltr', 'אבד באוטובוס 18.'],
  ] as const) {
    await page.evaluate((dir) => document.documentElement.setAttribute('dir', dir), direction);
    for (const field of fields) {
      await field.fill('');
      await expect(field).toHaveCSS('direction', direction);
      await field.fill(text);
      // Where its first letter is. In the direction of the page, the full stop would be there.
      const { width, height } = (await field.boundingBox()) ?? { width: 0, height: 0 };
      await field.click({ position: { x: direction === 'rtl' ? 18 : width - 18, y: height / 2 } });
      const caret = () => field.evaluate((input: HTMLInputElement) => input.selectionStart);
      await expect.poll(caret, `${text} in a page that is ${direction}`).toBeLessThan(3);
    }
  }
});
