import { reachSecondContact } from './support/contact-thread.ts';
import { expect, test } from './support/test.ts';

/** Returns the path of the page that the newest message to an address leads to. */
function pathIn(text: string): string {
  return /\/contact\/[\w%-]{22,24}/.exec(text)?.[0] ?? '';
}

test('an owner names a second contact, who agrees, sets quiet hours, and leaves', async ({
  page,
  newOwner,
  browser,
  service,
  outbox,
}) => {
  await newOwner(page);
  await page.goto('/profile/contacts');
  await expect(page.getByText('something that you marked as lost')).toBeVisible();
  const friend = `friend-${crypto.randomUUID()}@example.com`;
  await page.getByRole('button', { name: 'Invite someone' }).click();
  const field = page.getByLabel('Who to invite');
  await expect(field).toBeFocused();
  await field.fill('no address');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('Enter an email, or a phone number that begins with +.')).toBeVisible();
  await field.fill(friend);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('Invitation sent')).toBeVisible();
  const list = page.getByRole('list', { name: 'Your second contacts' });
  await expect(list).toContainText('Invited. We won’t contact them again until they agree.');
  const forAll = list.getByRole('switch', { name: 'Also about items that aren’t marked as lost' });
  await forAll.click();
  await expect(forAll).toBeChecked();

  const invitation = async () => (await outbox()).find(({ recipient }) => recipient === friend)?.body ?? '';
  await expect.poll(invitation).toContain('/contact/');
  // Without scripts, as in a mail program's own browser.
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: service.url });
  const contact = await context.newPage();
  await contact.goto(pathIn(await invitation()));
  await expect(contact.getByText('You’d hear about all items.')).toBeVisible();
  await contact.getByRole('button', { name: 'I agree' }).click();
  await expect(contact.getByRole('heading', { name: /^You’re a second contact for Dana/ })).toBeVisible();
  await contact.getByLabel('From').fill('22:00');
  await contact.getByLabel('To').fill('07:00');
  await expect(contact.getByLabel('Time zone')).toHaveValue('UTC');
  await contact.getByLabel('Time zone').selectOption('Asia/Jerusalem');
  await contact.getByRole('button', { name: 'Save quiet hours' }).click();
  await expect(contact.getByText('Saved.')).toBeVisible();
  await expect(contact.getByLabel('Time zone')).toHaveValue('Asia/Jerusalem');
  await page.reload();
  await expect(list).toContainText('Agreed');

  // With scripts what was chosen stays, and a first choice begins with the browser's zone.
  const travels = await browser.newContext({ timezoneId: 'Asia/Almaty', baseURL: service.url });
  const traveler = await travels.newPage();
  await traveler.goto(pathIn(await invitation()));
  await expect(traveler.getByLabel('Time zone')).toHaveValue('Asia/Jerusalem');
  for (const [label, value] of [
    ['From', ''],
    ['To', ''],
  ] as const)
    await traveler.getByLabel(label).fill(value);
  await traveler.getByRole('button', { name: 'Save quiet hours' }).click();
  await expect(traveler.getByText('Saved.')).toBeVisible();
  await expect(traveler.getByLabel('Time zone')).toHaveValue('Asia/Almaty');
  await traveler.getByLabel('From').fill('22:00');
  await traveler.getByLabel('To').fill('07:00');
  await traveler.getByRole('button', { name: 'Save quiet hours' }).click();
  await contact.reload();
  await expect(contact.getByLabel('Time zone')).toHaveValue('Asia/Almaty');
  expect(await contact.getByLabel('Time zone').locator('option').count()).toBeLessThan(45);
  await travels.close();

  await contact.getByRole('button', { name: 'Stop being a contact' }).click();
  await expect(contact.getByRole('heading', { name: 'You’re not a second contact' })).toBeVisible();
  await page.reload();
  await expect(list).toContainText('Declined, or left');
  await context.close();
});

for (const javaScriptEnabled of [true, false]) {
  const scripts = javaScriptEnabled ? 'with' : 'without';
  test(`a second contact replies for the owner, as the owner and the finder read, ${scripts} scripts`, async ({
    browser,
    contextOptions,
    newOwner,
    page,
    service,
  }) => {
    const { client, code } = await newOwner(page);
    const finderKey = `key-of-a-finder-${crypto.randomUUID()}`;
    const body = 'I found your keys';
    const path = await reachSecondContact(service, { client, code, finderKey, body });
    const context = await browser.newContext({ ...contextOptions, baseURL: service.url, javaScriptEnabled });
    await context.addCookies([{ name: 'reunite_finder_key', value: finderKey, url: `${service.url}/item/${code}` }]);
    const finder = await context.newPage();
    await finder.goto(`/item/${code}`);
    await expect(finder.getByText('We also told another contact')).toBeVisible();

    const contact = await context.newPage();
    await contact.goto(path);
    await expect(contact.getByRole('listitem')).toContainText(['I found your keys']);
    await contact.getByLabel('Your reply').fill('Leave them at the desk');
    await contact.getByRole('button', { name: 'Send reply' }).click();
    await expect(contact.getByText('Sent. The finder can read it on their page.')).toBeVisible();
    await expect(contact.getByRole('listitem').last()).toContainText('A contact of Dana wrote');
    await expect(contact.getByLabel('Your reply')).toHaveValue('');

    await finder.reload();
    const reply = finder.getByRole('log').getByRole('listitem').last();
    await expect(reply).toContainText('A contact of Dana wrote');
    await expect(reply).toContainText('Leave them at the desk');
    await page.goto(`/item/${code}`);
    const latest = page.getByRole('list', { name: 'Finder 1' }).getByRole('listitem').last();
    await expect(latest).toContainText('Your second contact wrote');
    await expect(latest).toContainText('Leave them at the desk');

    await client.from('conversations').delete().neq('id', crypto.randomUUID()).throwOnError();
    await contact.goto(path);
    await expect(contact.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    await context.close();
  });
}

test.describe('second contacts that cannot be loaded', () => {
  test.use({ refusals: [400] });

  test('are loaded by themselves once they can be', { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
    await newOwner(page);
    await page.route('**/rest/v1/second_contacts?**', (route) => route.fulfill({ status: 400, body: '{}' }));
    await page.goto('/profile/contacts');
    await expect(page.getByText('We couldn’t load your second contacts.')).toBeVisible();
    await page.unroute('**/rest/v1/second_contacts?**');
    await expect(page.getByRole('button', { name: 'Invite someone' })).toBeVisible();
  });
});
