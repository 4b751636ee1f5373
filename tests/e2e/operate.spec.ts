import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { brokenRules } from '#tests/support/broken-rules.ts';
import { queryDatabase } from '#tests/support/query-database.ts';
import type { ServiceProcess } from '#tests/support/service-process.ts';
import { press, type } from './support/keyboard.ts';
import { proveAddress } from './support/prove-address.ts';
import { signIn } from './support/sign-in.ts';
import { expect, type FreshOwner, test } from './support/test.ts';

test.use({ refusals: [403] });

const grant = (service: ServiceProcess, owner: FreshOwner) =>
  queryDatabase(service, 'insert into internal.operators (user_id) values ($1)', [owner.session.user.id]);

/** Signs the browser in as an operator who has shown a second factor. */
async function signInAsOperator(page: Page, service: ServiceProcess, owner: FreshOwner): Promise<void> {
  const { auth } = owner.client;
  const { data: factor, error } = await auth.mfa.enroll({ factorType: 'totp' });
  if (error !== null) throw error;
  const code = new TOTP({ secret: factor.totp.secret }).generate();
  await auth.mfa.challengeAndVerify({ factorId: factor.id, code });
  const { data } = await auth.getSession();
  if (data.session === null) throw new Error('There is no session.');
  await grant(service, owner);
  await signIn(page.context(), service.url, data.session);
}

const dialog = (page: Page) => page.getByRole('dialog');

test('the console is not there without the role, and asks for a second factor [OP2]', { tag: '@one-width' }, async ({
  page,
  service,
  newOwner,
}) => {
  const owner = await newOwner(page);
  await page.goto('/operate');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await grant(service, owner);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This needs a second factor' })).toBeVisible();
  await queryDatabase(service, 'delete from internal.operators where user_id = $1', [owner.session.user.id]);
  await page.goto('/operate?see=accounts');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('an operator sees how the service is, and what came back', async ({ page, service, newOwner }) => {
  await signInAsOperator(page, service, await newOwner());
  await page.goto('/operate');
  for (const name of ['Database', 'Disk', 'Files', 'Email', 'SMS', 'Push', 'Jobs', 'Backup'])
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  await expect(page.getByText('The service makes none by itself. Set BACKUP_SCHEDULE.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Needs attention' })).toHaveCount(1);
  expect(await brokenRules(page)).toEqual([]);
  await page.getByRole('link', { name: 'Returns' }).click();
  await expect(page.getByRole('row', { name: /^Items tagged \d/ })).toBeVisible();
  await page.getByRole('link', { name: 'Failures' }).click();
  await expect(page).toHaveURL(/see=deliveries/);
  expect(await brokenRules(page)).toEqual([]);
});

test('with the keyboard alone an operator finds an account, looks at its contact details, and its owner reads why', {
  tag: '@one-width',
}, async ({ page, another, service, newOwner }) => {
  await signInAsOperator(page, service, await newOwner());
  const theirs = await another();
  const concerned = await newOwner(theirs);
  await page.goto('/operate?see=accounts');
  await type(page, page.getByLabel('Email address, phone number, or ID'), concerned.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^1 item, /)).toBeVisible();
  await expect(page.getByText('Dana Levi')).toHaveCount(0);
  await press(page, page.getByRole('button', { name: 'Contact details' }));
  await press(page, dialog(page).getByRole('button', { name: 'Contact details' }));
  await expect(dialog(page).getByText('Give a reason of 5 to 200 characters.')).toBeVisible();
  await type(page, dialog(page).getByLabel('Reason'), 'A parcel with your keys is here');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Dana Levi')).toBeVisible();

  await theirs.goto('/profile/security');
  await expect(theirs.getByText('An operator of this service looked at your contact details')).toBeVisible();
  await expect(theirs.getByText('Reason: A parcel with your keys is here')).toBeVisible();
});

test('an operator sends a sign-in link, disables, lets in, and deletes an account', async ({
  page,
  service,
  newOwner,
  outbox,
}) => {
  await signInAsOperator(page, service, await newOwner());
  const concerned = await newOwner();
  // A link goes to a proved address alone.
  await proveAddress(service, concerned.session.user.id);
  await page.goto('/operate?see=accounts');
  await page.getByLabel('Email address, phone number, or ID').fill(concerned.email);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  const isSignIn = async () =>
    (await outbox()).filter(({ recipient, body }) => recipient === concerned.email && body.includes('magiclink'))
      .length;
  await expect.poll(isSignIn).toBe(1);

  await page.getByRole('button', { name: 'Disable' }).click();
  await dialog(page).getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible();
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Enable' }).click();
  await expect(page.getByRole('button', { name: 'Disable' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog(page).getByText(/^1 item, /)).toBeVisible();
  expect(await brokenRules(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('main').getByText('No account has this.')).toBeVisible();
});

test('an operator makes a batch, stops it, and takes a reported page down', async ({ page, service, newOwner }) => {
  const operator = await newOwner();
  await signInAsOperator(page, service, operator);
  const name = `Fair ${operator.code}`;
  await page.goto('/operate?see=stickers');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Number of stickers').fill('1200');
  await page.getByRole('button', { name: 'Make a batch' }).click();
  const line = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await expect(line.getByText('1,200 stickers, 0 claimed, 0 void')).toBeVisible();
  const downloaded = page.waitForEvent('download');
  await line.getByRole('button', { name: 'Codes as CSV' }).click();
  expect((await downloaded).suggestedFilename()).toBe(`${name}.csv`);
  await line.getByRole('button', { name: 'Void' }).click();
  await dialog(page).getByLabel('Reason').fill('A box was stolen');
  await dialog(page).getByRole('button', { name: 'Void' }).click();
  await expect(line.getByText('Void: A box was stolen')).toBeVisible();
  await line.getByRole('button', { name: 'Restore' }).click();
  await expect(line.getByText('1,200 stickers, 0 claimed, 0 void')).toBeVisible();

  const words = `It asks for a password ${operator.code}`;
  await queryDatabase(service, "select internal.report_page($1, 'abuse', $2)", [operator.code, words]);
  await page.getByRole('link', { name: 'Reports' }).click();
  const report = page.getByRole('listitem').filter({ hasText: words });
  await report.getByRole('button', { name: 'Take page down' }).click();
  await dialog(page).getByLabel('Reason').fill('It asks for a password');
  await dialog(page).getByRole('button', { name: 'Take page down' }).click();
  await report.getByRole('button', { name: 'Put page back' }).click();
  await expect(report.getByRole('button', { name: 'Take page down' })).toBeVisible();
  await report.getByRole('button', { name: 'Close' }).click();
  await expect(report).toHaveCount(0);
  expect(await brokenRules(page)).toEqual([]);
});

test('with the keyboard alone an operator adds a hand-in desk, closes it for today, changes its hours, and removes it', async ({
  page,
  service,
  newOwner,
}) => {
  const operator = await newOwner();
  await signInAsOperator(page, service, operator);
  const name = `Station ${operator.code}`;
  await page.goto('/operate?see=desks');
  await press(page, page.getByRole('button', { name: 'Add a desk' }));
  const form = page.locator('form');
  await type(page, form.getByLabel('Name'), name);
  await type(page, form.getByLabel('Monday'), 'nine');
  await page.keyboard.press('Enter');
  await expect(form.getByText('Fill this in.')).toBeVisible();
  await expect(form.getByLabel('Place')).toBeFocused();
  await expect(form.getByLabel('Monday')).toHaveAttribute('aria-invalid', 'true');
  expect(await brokenRules(page)).toEqual([]);
  await type(page, form.getByLabel('Place'), 'Hall 2');
  await form.getByLabel('Monday').fill('');
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
    await type(page, form.getByLabel(day), '0-24');
  await type(page, form.getByLabel('Languages spoken there'), 'de, en');
  await page.keyboard.press('Enter');
  const line = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await expect(line.getByText('Always open')).toBeVisible();
  await expect(line.getByText('Mon – Sun: 24 hours')).toBeVisible();
  expect(await brokenRules(page)).toEqual([]);

  const finders = async () => (await page.request.get(`/item/${operator.code}/desks`)).text();
  await expect.poll(finders).toContain(name);
  await press(page, line.getByRole('button', { name: 'Close for today' }));
  await expect(line.getByRole('button', { name: 'Open today' })).toBeVisible();
  await expect(line.getByText(/^Opens|: Closed/).first()).toBeVisible();
  await press(page, line.getByRole('button', { name: 'Edit' }));
  await line.getByLabel('Holidays and other hours').fill('2099-12-25');
  await line.getByLabel('Sunday').fill('22-2');
  await press(page, line.getByRole('button', { name: 'Save' }));
  await expect(line.getByText(/^Sun: 10:00.PM – 2:00.AM$/)).toBeVisible();
  await expect(line.getByRole('button', { name: 'Close for today' })).toBeVisible();
  await press(page, line.getByRole('button', { name: 'Remove' }));
  await press(page, dialog(page).getByRole('button', { name: 'Remove' }));
  await expect(line).toHaveCount(0);
  await expect.poll(finders).not.toContain(name);
});
