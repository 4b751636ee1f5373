import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { TOTP } from 'otpauth';
import { startUnset, type UnsetService } from '#tests/process/start-unset.ts';
import { brokenRules } from '#tests/support/broken-rules.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { THROW_AWAY_PLACE } from '#tests/support/throw-away-place.ts';
import { newTagCode } from './support/test.ts';

let service: UnsetService;
let folder: string;
let url: string;

test.beforeEach(async () => {
  folder = await mkdtemp(join(THROW_AWAY_PLACE, 'reunite-without-mail-'));
  const port = await ownPort();
  url = `http://localhost:${port}`;
  service = await startUnset({ dataDirectory: folder, port });
});

test.afterEach(async () => {
  await (await service.ready.catch(() => null))?.end('SIGTERM');
  service.child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

/** A browser of another person. */
const another = async (browser: Browser) => {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en' })).newPage();
  page.setDefaultTimeout(20_000);
  return page;
};

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

async function findAccount(page: Page, email: string): Promise<void> {
  await page.goto(`${url}/operate?see=accounts`);
  await page.getByLabel('Email address, phone number, or ID').fill(email);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
}

const madeLink = async (page: Page) => {
  await expect(page.getByRole('img', { name: 'QR code with the link' })).toBeVisible();
  expect(await brokenRules(page)).toEqual([]);
  return page.getByText(/^http\S+#token_hash=/).innerText();
};

/** Asks for the account's data. A day cannot pass here, so the first response is that to an old session. */
async function refuseExport(page: Page): Promise<void> {
  await page.goto('/profile/data');
  const refusal = { status: 403, json: { code: 'PT403', message: 'too old' } };
  await page.route('**/rest/v1/rpc/export_my_data', (route) => route.fulfill(refusal), { times: 1 });
  await page.getByRole('button', { name: /^Download/ }).click();
}

test('from an empty folder to a finder’s message on the screen, and to a new password, without a mail server', {
  tag: '@one-width',
}, async ({ page, browser }) => {
  test.setTimeout(300_000);
  page.setDefaultTimeout(20_000);
  await page.goto(service.address ?? '');
  await page.getByLabel('Your email').fill('olive@example.org');
  await page.getByLabel('Choose a password').fill('password');
  await page.getByLabel('This service sends no email').check();
  await expect(page.getByLabel('Mail server')).toBeHidden();
  await page.getByRole('button', { name: 'Start Reunite' }).click();
  await expect(page.getByLabel('Choose a password')).toHaveAccessibleDescription(/that aren’t a common password/);
  await page.getByLabel('Choose a password').fill('olive horse battery');
  await page.getByRole('button', { name: 'Start Reunite' }).click();

  // The operator signs in, adds a second step, and is in the console.
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible({ timeout: 180_000 });
  await expect(page.getByText('Email me a link')).toHaveCount(0);
  await signIn(page, 'olive@example.org', 'olive horse battery');
  await expect(page.getByRole('heading', { name: 'This needs a second factor' })).toBeVisible();
  await page.getByRole('link', { name: 'Security settings' }).click();
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const link = page.getByRole('link', { name: 'Open the app on this device' });
  const secret = new URL((await link.getAttribute('href')) ?? '').searchParams.get('secret') ?? '';
  await page.getByRole('dialog').getByRole('textbox').first().focus();
  await page.keyboard.type(new TOTP({ secret }).generate());
  await expect(page.getByText('Two-step verification is on').first()).toBeVisible();
  await page.goto(`${url}/operate`);
  await expect(page.getByText('There is no mail server')).toBeVisible();
  await expect(page.getByText('Off: you make one-time links')).toBeVisible();

  // An owner is invited, and chooses a password.
  await findAccount(page, 'dana@example.org');
  await page.getByRole('button', { name: 'Invite this person' }).click();
  const owner = await another(browser);
  await owner.goto(await madeLink(page));
  await owner.getByRole('main').getByRole('button').first().click();
  await expect(owner).toHaveURL(/\/profile\/security/);
  await owner.getByLabel('New password', { exact: true }).fill('dana horse battery');
  await owner
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await expect(owner.getByLabel('New password', { exact: true })).toHaveCount(0);
  const code = newTagCode();
  await owner.goto(`/${code}`);
  await owner.getByText('Keys', { exact: true }).click();
  await owner.getByRole('button', { name: 'Tag Item' }).click();
  await expect(owner.getByRole('button', { name: 'Tag Item' })).toHaveCount(0);
  for (const path of ['/profile', '/profile/notifications', '/profile/contacts', '/dashboard', '/faq']) {
    await owner.goto(path);
    await expect(owner.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(owner.getByText(/email you|by email|reset link|code we send/i), path).toHaveCount(0);
  }

  // After a day, a change needs the password. Who has none is sent to the operator, and to nobody's mailbox.
  await refuseExport(owner);
  const proof = owner.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(proof.getByText('Ask its operator for a one-time link')).toBeVisible();
  await expect(proof.getByRole('button', { name: 'Use a code instead' })).toHaveCount(0);
  const downloading = owner.waitForEvent('download');
  await proof.getByLabel('Current password').fill('dana horse battery');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await downloading;
  await findAccount(page, 'otto@example.org');
  await page.getByRole('button', { name: 'Invite this person' }).click();
  const invited = await another(browser);
  await invited.goto(await madeLink(page));
  await invited.getByRole('main').getByRole('button').first().click();
  await expect(invited).toHaveURL(/\/profile\/security/);
  await refuseExport(invited);
  const withoutPassword = invited.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(withoutPassword.getByText('Ask its operator for a one-time link')).toBeVisible();
  await expect(withoutPassword.getByRole('button', { name: /code/i })).toHaveCount(0);
  expect(await brokenRules(invited)).toEqual([]);

  // A finder writes; the message is on the owner's screen, and no email is offered to the finder.
  await owner.goto('/dashboard');
  const finder = await another(browser);
  await finder.goto(`/item/${code}`);
  await finder.getByRole('textbox').first().fill('I have your keys.');
  await finder.getByRole('button', { name: /send/i }).first().click();
  await expect(finder.getByText('I have your keys.').first()).toBeVisible();
  await expect(finder.getByText('Email me about replies')).toHaveCount(0);
  await expect(owner.getByText(/1 new message/).first()).toBeVisible();

  // Who registers without an invitation, or forgets the password, is sent to the operator.
  const visitor = await another(browser);
  await visitor.goto('/auth?mode=reset');
  await expect(visitor.getByText('Ask its operator for a one-time link')).toBeVisible();
  expect(await brokenRules(visitor)).toEqual([]);
  await visitor.goto('/auth/callback');
  await expect(visitor.getByText('Ask its operator for a one-time link')).toBeVisible();
  await expect(visitor.getByText(/from the email/)).toHaveCount(0);
  await visitor.goto('/auth?mode=register');
  await visitor.getByLabel('Full name').fill('Vera Visitor');
  await visitor.getByLabel('Email').fill('vera@example.org');
  await visitor.getByLabel('Phone number').fill('054 123 4567');
  await visitor.getByLabel('Password', { exact: true }).fill('vera horse battery');
  await visitor.getByRole('button', { name: 'Create Account' }).click();
  await expect(visitor.getByText('It opens your account.')).toBeVisible();
  await findAccount(page, 'vera@example.org');
  await page.getByRole('button', { name: 'Make one-time link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make one-time link' }).click();
  await visitor.goto(await madeLink(page));
  await visitor.getByRole('main').getByRole('button').first().click();
  await expect(visitor).toHaveURL(/\/dashboard/);

  await findAccount(page, 'dana@example.org');
  await page.getByRole('button', { name: 'Make one-time link' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Dana forgot her password');
  await page.getByRole('dialog').getByRole('button', { name: 'Make one-time link' }).click();
  const forgetful = await another(browser);
  const path = await madeLink(page);
  await owner.goto('/dashboard');
  await expect(owner.getByText('An operator of this service made a one-time link to your account')).toBeVisible();
  await forgetful.goto(path);
  await forgetful.getByLabel('New password', { exact: true }).fill('dana green battery');
  await forgetful
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await expect(forgetful).toHaveURL(/\/dashboard/);
  await forgetful.goto('/profile/security');
  await expect(forgetful.getByText('An operator of this service made a one-time link to your account')).toBeVisible();
  await expect(forgetful.getByText('Reason: Dana forgot her password')).toBeVisible();
});
