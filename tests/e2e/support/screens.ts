import { expect, type Page, request } from '@playwright/test';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { generateTagCode } from '#domain/tag-code/tag-code.ts';
import { ACCOUNT_SCREENS } from './account-screens.ts';
import { drawPhoto } from './draw-photo.ts';
import { GIVING_SCREENS } from './giving-screens.ts';
import { MESSAGE_SCREENS } from './message-screens.ts';
import { openRow } from './open-row.ts';
import { OPERATE_SCREENS } from './operate-screens.ts';
import { PASSKEY_SCREENS } from './passkey-screens.ts';
import { newPhone, register } from './register-owner.ts';
import { SCANNER_SCREENS } from './scanner-screens.ts';
import { SECOND_STEP_SCREENS } from './second-step-screens.ts';
import { standInPush } from './stand-in-push.ts';
import { STICKER_SCREENS } from './sticker-screens.ts';
import type { Story } from './story.ts';
import { TROUBLE_SCREENS } from './trouble-screens.ts';

/** One screen in one state: its user, and the steps that lead there. */
export interface Screen {
  /** The name of its pictures. */
  readonly name: string;
  readonly as: 'nobody' | 'owner' | 'newcomer' | 'careful' | 'halfway' | 'unconfirmed' | 'giver';
  show(page: Page, story: Story): Promise<void>;
  /**
   * The statuses of failing responses that belong to the state, or missing responses; a browser logs each as an error.
   */
  readonly refusals?: readonly (number | 'no connection')[];
  /** The screen is offline; throttling the network would bring the connection back. */
  readonly goesOffline?: true;
}

const heading = (page: Page, name: string | RegExp) => expect(page.getByRole('heading', { name })).toBeVisible();
/** Waits until the form is hydrated and can be sent. */
const form = (page: Page, name: string) => expect(page.getByRole('button', { name, exact: true })).toBeEnabled();
/** Waits until the photo of an item is visible; fails where there is none. */
const photo = (page: Page, name: string) =>
  page.getByRole('img', { name: `Photo of ${name}` }).evaluate((image: HTMLImageElement) => image.decode());
/** A new address each time, because an address gets one code a minute. */
const registerUpToCode = (page: Page) =>
  register(page, '/auth?mode=register', `${crypto.randomUUID()}@example.com`, PASSWORD);
const PASSWORD = 'three keys on a ribbon';
/** A file to choose. */
const aPhoto = async () => ({ name: 'photo.webp', mimeType: 'image/webp', buffer: await drawPhoto() });
const FREE_CODE = 'tgt-A-story-of-nothing-yet';

/** Every screen in every state: the pictures are made of them, and no rule of accessibility may be broken on any. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'landing',
    as: 'nobody',
    async show(page) {
      await page.goto('/');
      await heading(page, 'Never lose your belongings again');
    },
  },
  {
    name: 'landing-with-code',
    as: 'nobody',
    async show(page) {
      await page.goto(`/?qr_id=${FREE_CODE}`);
      await expect(page.getByRole('link', { name: 'Register Item' })).toBeVisible();
    },
  },
  ...(['privacy', 'terms', 'faq'] as const).map(
    (name): Screen => ({
      name,
      as: 'nobody',
      async show(page) {
        await page.goto(`/${name}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      },
    }),
  ),
  {
    name: 'not-found',
    as: 'nobody',
    refusals: [404],
    async show(page) {
      await page.goto('/not-found');
      await heading(page, 'Page not found');
    },
  },
  {
    name: 'offline',
    as: 'nobody',
    goesOffline: true,
    // What the page loads when idle may still be under way.
    refusals: [503, 'no connection'],
    async show(page) {
      await page.goto('/auth');
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      await page.context().setOffline(true);
      await page.reload();
      await heading(page, 'No connection');
    },
  },
  {
    name: 'sign-in',
    as: 'nobody',
    async show(page) {
      await page.goto('/auth?mode=login');
      await heading(page, 'Welcome back');
      await form(page, 'Sign In');
    },
  },
  {
    name: 'sign-in-refused',
    as: 'nobody',
    refusals: [400],
    async show(page) {
      await page.goto('/auth?mode=login');
      await page.getByLabel('Email').fill('nobody@example.com');
      await page.getByLabel('Password', { exact: true }).fill('not my password');
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await expect(page.getByText('Login failed. Please check your credentials.')).toBeVisible();
    },
  },
  {
    name: 'register',
    as: 'nobody',
    async show(page) {
      await page.goto(`/auth/${FREE_CODE}`);
      await expect(page.getByText(`Creating an account to tag your item with QR code: ${FREE_CODE}`)).toBeVisible();
      await form(page, 'Create Account');
    },
  },
  {
    name: 'register-with-errors',
    as: 'nobody',
    async show(page) {
      await page.goto('/auth?mode=register');
      await page.getByRole('button', { name: 'Create Account' }).click();
      await expect(page.getByText('Full name is required')).toBeVisible();
    },
  },
  {
    name: 'register-choosing-country',
    as: 'nobody',
    async show(page) {
      await page.goto('/auth?mode=register');
      await page.getByRole('combobox', { name: /\+\W*972/ }).click();
      await expect(page.getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'verify',
    as: 'nobody',
    async show(page) {
      await registerUpToCode(page);
      await expect(page.getByText('Backup code')).toBeVisible();
    },
  },
  {
    name: 'verify-refused',
    as: 'nobody',
    refusals: [403],
    async show(page) {
      await registerUpToCode(page);
      await page.getByRole('textbox').first().focus();
      await page.keyboard.type('000000');
      await expect(page.getByRole('alert').filter({ hasText: 'Invalid verification code' })).toBeVisible();
    },
  },
  {
    name: 'sign-in-by-phone-code',
    as: 'nobody',
    async show(page) {
      await page.goto('/auth?mode=phone');
      await page.getByLabel('Phone number').fill(newPhone());
      await page.getByRole('button', { name: 'Send Code' }).click();
      await expect(page.getByText('a 6-digit code is on its way')).toBeVisible();
    },
  },
  {
    name: 'sign-in-by-link',
    as: 'nobody',
    async show(page) {
      await page.goto('/auth?mode=link');
      await form(page, 'Send Link');
    },
  },
  {
    name: 'sign-in-by-link-sent',
    as: 'nobody',
    async show(page) {
      await page.goto('/auth?mode=link');
      await page.getByLabel('Email').fill('ada@example.com');
      await page.getByRole('button', { name: 'Send Link' }).click();
      await expect(page.getByText('Open the link on any device')).toBeVisible();
    },
  },
  {
    name: 'reset',
    as: 'nobody',
    async show(page) {
      await page.goto('/auth?mode=reset');
      await heading(page, 'Reset your password');
      await form(page, 'Send Reset Link');
    },
  },
  {
    name: 'item-placeholder',
    as: 'nobody',
    refusals: [404],
    async show(page) {
      await page.goto(`/item/${FREE_CODE}`);
      await heading(page, 'Nothing here');
    },
  },
  {
    name: 'item-not-in-use',
    as: 'nobody',
    refusals: [404],
    async show(page, { voidCodes }) {
      await page.goto(`/${voidCodes.withItem}`);
      await heading(page, 'This sticker isn’t in use');
    },
  },
  {
    name: 'typed-code',
    as: 'nobody',
    async show(page) {
      await page.goto('/found');
      await heading(page, 'Enter the code on the sticker');
    },
  },
  {
    name: 'typed-code-unknown',
    as: 'nobody',
    refusals: [404],
    async show(page) {
      await page.goto('/f/F3DF-TNKQ-JYYR-GFWX');
      await expect(page.getByText('No sticker in use has this code.')).toBeVisible();
    },
  },
  {
    name: 'finder',
    as: 'nobody',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await heading(page, 'House keys');
    },
  },
  {
    name: 'finder-lost',
    as: 'nobody',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.backpack}`);
      await expect(page.getByText('Reported lost')).toBeVisible();
    },
  },
  {
    name: 'finder-no-way-open',
    as: 'nobody',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.wallet}`);
      await expect(page.getByText('No contact methods are available for this owner.')).toBeVisible();
    },
  },
  {
    name: 'finder-messages-only',
    as: 'nobody',
    async show(page, { unnamed }) {
      await page.goto(`/item/${unnamed}`);
      await heading(page, 'You found something of Maya’s');
      await expect(page.getByRole('button', { name: 'Share' })).toBeVisible();
    },
  },
  {
    name: 'finder-no-details',
    as: 'nobody',
    async show(page, { withoutDetails }) {
      await page.goto(`/item/${withoutDetails}`);
      await heading(page, 'You found something of Yael’s');
      await expect(page.getByText('Owner profile is missing contact information')).toBeVisible();
    },
  },
  {
    name: 'finder-conversation',
    as: 'nobody',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByLabel('Your message').fill('I have them with me.');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('log')).toContainText('I have them with me.');
    },
  },
  {
    name: 'finder-returned',
    as: 'nobody',
    async show(page, { codes, takeBackFromLast }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByLabel('Your message').fill('See you at noon.');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('log')).toContainText('See you at noon.');
      await takeBackFromLast(codes.keys);
      await page.goto(`/item/${codes.keys}`);
      await expect(page.getByText('Dana has it back')).toBeVisible();
    },
  },
  {
    name: 'finder-email',
    as: 'nobody',
    refusals: [422],
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByLabel('Your message').fill('I have them with me.');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await page.getByRole('link', { name: 'Email me about replies' }).click();
      // Complete for the browser, and not for the server.
      await page.getByLabel('Your email').fill('finder@localhost');
      await page.getByRole('button', { name: 'Email me' }).click();
      await expect(page.getByText('Enter a complete email address.')).toBeVisible();
    },
  },
  {
    name: 'finder-email-left',
    as: 'nobody',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByLabel('Your message').fill('I have them with me.');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await page.getByRole('link', { name: 'Email me about replies' }).click();
      await page.getByLabel('Your email').fill(`${crypto.randomUUID()}@example.net`);
      await page.getByRole('button', { name: 'Email me' }).click();
      await expect(page.getByText('Check your email')).toBeVisible();
    },
  },
  {
    name: 'finder-email-link-dead',
    as: 'nobody',
    refusals: [404],
    async show(page) {
      await page.goto(`/replies/confirm/${'A'.repeat(64)}`);
      await heading(page, 'This link no longer works');
    },
  },
  {
    name: 'finder-report',
    as: 'nobody',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}/report`);
      await page.getByLabel('Someone put the sticker there').check();
    },
  },
  {
    name: 'finder-report-refused',
    as: 'nobody',
    refusals: [422],
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}/report`);
      await page.locator('form').evaluate((form: HTMLFormElement) => {
        form.noValidate = true;
      });
      await page.getByRole('button', { name: 'Send report' }).click();
      const choices = page.getByRole('radiogroup', { name: 'What’s wrong?' });
      await expect(choices).toHaveAccessibleDescription(/Choose what’s wrong\./);
      await expect(choices).toHaveAttribute('aria-invalid', 'true');
    },
  },
  {
    name: 'finder-reported',
    as: 'nobody',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}/report?sent=1`);
      await heading(page, 'Thank you for your report');
    },
  },
  {
    name: 'finder-wrote-before',
    as: 'nobody',
    refusals: [422],
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByRole('link', { name: 'I wrote before' }).click();
      await page.getByLabel('Your return code').fill('7KQ4');
      await page.getByRole('button', { name: 'Open my conversation' }).click();
      await expect(page.getByText('A return code has 8 letters and numbers.')).toBeVisible();
    },
  },
  {
    name: 'finder-way-opened',
    as: 'nobody',
    async show(page, { codes }) {
      // The response counts as immediate however slow the machine is; a late one would require another tap.
      await page.addInitScript(() => Object.defineProperty(performance, 'now', { value: () => 0 }));
      await page.goto(`/item/${codes.umbrella}`);
      await page.getByRole('button', { name: 'Call' }).click();
      await expect(page.getByText('Phone dialer opened')).toBeVisible();
    },
  },
  {
    name: 'finder-with-photo',
    as: 'nobody',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.umbrella}`);
      await photo(page, 'Yellow umbrella');
    },
  },
  {
    name: 'finder-answered-live',
    as: 'nobody',
    async show(page, { codes, replyToLast }) {
      await page.goto(`/item/${codes.backpack}`);
      await page.getByLabel('Your message').fill('I have it with me.');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('log')).toContainText('I have it with me.');
      // What is in view needs no link that leads to it.
      await page.setViewportSize({ width: 390, height: 420 });
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await replyToLast(codes.backpack, 'Thank you! Where are you?');
      await expect(page.getByRole('link', { name: 'Dana replied' })).toBeVisible();
    },
  },
  {
    name: 'finder-location',
    as: 'nobody',
    async show(page, { codes }) {
      await page.context().grantPermissions(['geolocation']);
      await page.context().setGeolocation({ latitude: 32.0838, longitude: 34.7982 });
      await page.goto(`/item/${codes.keys}`);
      await page.getByText('Add a place').click();
      await page.getByLabel('Where is it?').fill('Platform 2, on the bench');
      await page.getByRole('button', { name: 'Add my location' }).click();
      await expect(page.getByText('32.08, 34.80')).toBeVisible();
    },
  },
  {
    name: 'finder-photo',
    as: 'nobody',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByLabel('Add a photo').setInputFiles(await aPhoto());
      // A canvas has 300 before something is drawn.
      await expect(page.locator('canvas')).not.toHaveJSProperty('width', 300);
    },
  },
  {
    name: 'finder-photo-sent',
    as: 'nobody',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByLabel('Add a photo').setInputFiles(await aPhoto());
      await page.getByLabel('Your message').fill('They hang here.');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('img', { name: 'The photo you sent' })).not.toHaveJSProperty('naturalWidth', 0);
    },
  },
  {
    name: 'finder-photo-refused',
    as: 'nobody',
    refusals: [422],
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') };
      await page.getByLabel('Add a photo').setInputFiles(photo);
      await page.getByLabel('Your message').fill('They hang here.');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByText('Your message was sent, but we couldn’t add the photo.')).toBeVisible();
    },
  },
  {
    name: 'finder-seen',
    as: 'nobody',
    async show(page, { codes, seeLast }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByLabel('Your message').fill('I have them with me.');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('log')).toContainText('I have them with me.');
      await seeLast(codes.keys);
      await page.reload();
      await expect(page.getByText('Seen about')).toBeVisible();
    },
  },
  {
    name: 'finder-answered',
    as: 'nobody',
    async show(page, { codes, finderKey }) {
      await page.goto(`/item/${codes.umbrella}`);
      await page.context().addCookies([{ name: 'reunite_finder_key', value: finderKey, url: page.url() }]);
      await page.reload();
      await expect(page.getByRole('log').getByRole('listitem')).toHaveCount(3);
    },
  },
  {
    name: 'dashboard',
    as: 'owner',
    async show(page) {
      await page.goto('/dashboard');
      await heading(page, 'House keys');
      await expect(page.getByText('Finders can’t reach you about Brown wallet.')).toBeVisible();
    },
  },
  {
    name: 'dashboard-emails-stopped',
    as: 'unconfirmed',
    async show(page) {
      // A job counts the messages.
      await expect(async () => {
        await page.goto('/dashboard');
        await expect(page.getByText('You’ve had 1 more since.')).toBeVisible({ timeout: 5_000 });
      }).toPass();
    },
  },
  {
    name: 'dashboard-void-code',
    as: 'unconfirmed',
    async show(page) {
      await page.goto('/dashboard');
      await expect(page.getByText('Sticker no longer works')).toBeVisible();
    },
  },
  {
    name: 'item-void-code',
    as: 'unconfirmed',
    async show(page, { voidCodes }) {
      await page.goto(`/item/${voidCodes.withItem}`);
      await heading(page, 'Red bicycle');
      await expect(page.getByText('A box of these stickers was stolen.')).toBeVisible();
    },
  },
  {
    name: 'void-code-without-item',
    as: 'unconfirmed',
    async show(page, { voidCodes }) {
      await page.goto(`/item/${voidCodes.withoutItem}`);
      await expect(page.getByText('A box of these stickers was stolen.')).toBeVisible();
    },
  },
  {
    name: 'not-in-use-to-an-owner',
    as: 'owner',
    async show(page, { voidCodes }) {
      await page.goto(`/item/${voidCodes.withItem}`);
      await heading(page, 'This sticker isn’t in use');
    },
  },
  {
    name: 'typed-code-to-an-owner',
    as: 'owner',
    async show(page) {
      await page.goto(`/f/${typedCodeOf(FREE_CODE)}`);
      await heading(page, 'This sticker isn’t in use');
    },
  },
  {
    name: 'dashboard-empty',
    as: 'newcomer',
    async show(page) {
      await page.goto('/dashboard');
      await heading(page, 'No items tagged yet');
    },
  },
  {
    name: 'tagging',
    as: 'newcomer',
    async show(page) {
      await page.goto(`/item/${FREE_CODE}`);
      await heading(page, 'What are you tagging?');
    },
  },
  {
    name: 'tagging-custom',
    as: 'newcomer',
    async show(page) {
      await page.goto(`/item/${FREE_CODE}`);
      await page.getByRole('radio', { name: 'Custom Item' }).check();
      await page.getByRole('button', { name: 'Tag Item' }).click();
      const problem = 'Please select an item type or enter a custom item name';
      await expect(page.getByRole('alert').filter({ hasText: problem })).toBeVisible();
    },
  },
  {
    name: 'tagging-existing-item',
    as: 'owner',
    async show(page) {
      await page.goto(`/item/${FREE_CODE}`);
      await page.getByRole('radio', { name: 'An item you already have' }).check();
      await expect(page.getByRole('button', { name: 'House keys' })).toBeVisible();
    },
  },
  {
    name: 'sticker-attached',
    as: 'owner',
    async show(page, { further }) {
      await page.goto(`/item/${FREE_CODE}`);
      await page.route('**/rpc/attach_qr_code', (route) =>
        route.continue({ postData: { ...route.request().postDataJSON(), qr_id_param: further } }),
      );
      await page.getByRole('radio', { name: 'An item you already have' }).check();
      await page.getByRole('button', { name: 'School backpack' }).click();
      await page.getByRole('button', { name: 'Stay' }).click();
      await heading(page, 'Sticker added');
    },
  },
  {
    name: 'tagged',
    as: 'careful',
    async show(page) {
      await page.goto('/item/new-item');
      await page.getByRole('radio', { name: 'Glasses' }).check();
      await page.getByRole('button', { name: 'Tag Item' }).click();
      await heading(page, 'Item Tagged!');
    },
  },
  {
    name: 'tagged-leaving',
    as: 'careful',
    async show(page) {
      await page.clock.install();
      await page.goto(`/item/${generateTagCode((bytes) => crypto.getRandomValues(bytes))}`);
      await page.getByRole('radio', { name: 'Glasses' }).check();
      await page.getByRole('button', { name: 'Tag Item' }).click();
      await heading(page, 'Item Tagged!');
    },
  },
  {
    name: 'owner-needs-sticker',
    as: 'owner',
    async show(page, { codes }) {
      await page.route('**/rest/v1/items?**', async (route) => {
        const body = await (await route.fetch()).text();
        await route.fulfill({
          contentType: 'application/json',
          body: body.replaceAll(/"was_scanned"\s*:\s*true/g, '"was_scanned":false'),
        });
      });
      await page.goto(`/item/${codes.keys}`);
      await heading(page, 'Needs a sticker');
    },
  },
  {
    name: 'sticker-works',
    as: 'owner',
    async show(page, { codes }) {
      await page.route('**/rpc/note_scan', (route) => route.fulfill({ json: true }));
      await page.goto(`/${codes.keys}`);
      await heading(page, 'It works. This is what a finder sees.');
    },
  },
  {
    name: 'owner-first-visit',
    as: 'careful',
    async show(page, { unnamed }) {
      await page.goto(`/item/${unnamed}`);
      await heading(page, 'It’s tagged. What is it?');
    },
  },
  {
    name: 'owner-first-visit-reach',
    as: 'careful',
    async show(page, { unnamed }) {
      await page.goto(`/item/${unnamed}?step=reach`);
      await heading(page, 'How may finders reach you?');
    },
  },
  {
    name: 'owner-first-visit-news',
    as: 'careful',
    async show(page, { unnamed }) {
      await standInPush(page, { permission: 'default' });
      await page.goto(`/item/${unnamed}?step=news`);
      await heading(page, 'Know when it’s found');
    },
  },
  {
    name: 'owner',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await heading(page, 'House keys');
      // The latest conversation is open at first, and another finder may have written since.
      const thread = page.getByRole('button', { name: /^Finder 1/ });
      if ((await thread.getAttribute('aria-expanded')) !== 'true') await thread.click();
      await expect(page.getByText('They’re safe behind the counter.')).toBeVisible();
    },
  },
  {
    name: 'owner-with-photo',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.umbrella}`);
      await photo(page, 'Yellow umbrella');
      await expect(page.getByText('I left it at the ticket office')).toBeVisible();
    },
  },
  {
    name: 'owner-photo-of-finder',
    as: 'owner',
    async show(page, { codes }) {
      // As a browser without scripts, of somebody else.
      const form = { body: 'They hang here.', photo: await aPhoto() };
      await page.goto(`/item/${codes.keys}`);
      const finder = await request.newContext({ baseURL: new URL(page.url()).origin });
      expect((await finder.post(`/item/${codes.keys}/message`, { multipart: form })).ok()).toBe(true);
      await finder.dispose();
      await page.reload();
      const shown = page.getByRole('img', { name: 'The photo the finder sent' }).last();
      await expect(shown).not.toHaveJSProperty('naturalWidth', 0);
    },
  },
  {
    name: 'owner-sticker',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await openRow(page, 'Stickers');
      await page.getByRole('button', { name: /^Print / }).click();
      await expect(page.getByRole('img', { name: `Sticker with the QR code ${codes.keys}` })).toBeVisible();
      await expect(page.getByText('We scanned the code as a test')).toBeVisible();
    },
  },
  {
    name: 'owner-stickers',
    as: 'owner',
    refusals: [409],
    async show(page, { codes }) {
      await page.goto(`/item/${codes.backpack}`);
      await openRow(page, 'Stickers');
      await page.getByRole('button', { name: 'Add a sticker' }).click();
      await page.getByRole('button', { name: 'Enter the code' }).click();
      await page.getByLabel('Code on the sticker').fill(codes.umbrella);
      await page.keyboard.press('Enter');
      await expect(page.getByText('This sticker is on Yellow umbrella.')).toBeVisible();
    },
  },
  {
    name: 'owner-removing-sticker',
    as: 'owner',
    async show(page, { codes, further }) {
      await page.goto(`/item/${codes.backpack}`);
      await openRow(page, 'Stickers');
      await page.getByRole('button', { name: `Remove ${typedCodeOf(further)}` }).click();
      await heading(page, 'Remove this sticker?');
    },
  },
  {
    name: 'owner-editing',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.backpack}`);
      await page.getByRole('button', { name: 'Edit item' }).click();
      await heading(page, 'Edit item');
    },
  },
  {
    name: 'owner-lost',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.backpack}`);
      await expect(page.getByRole('button', { name: 'I have it back', exact: true })).toBeVisible();
    },
  },
  {
    name: 'owner-returned',
    as: 'owner',
    async show(page, { codes, takeBackFromLast }) {
      await takeBackFromLast(codes.keys);
      await page.goto(`/item/${codes.keys}`);
      await expect(page.getByText('You have it back', { exact: true }).first()).toBeVisible();
    },
  },
  {
    name: 'owner-taking-back',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.backpack}`);
      await page.getByRole('button', { name: 'I have it back', exact: true }).click();
      await heading(page, 'Glad you have it back');
    },
  },
  {
    name: 'owner-thanking',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.umbrella}`);
      await page.getByRole('button', { name: 'I have it back from Finder 1' }).click();
      await heading(page, 'Glad you have it back');
    },
  },
  {
    name: 'owner-rows-open',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.backpack}`);
      for (const row of ['Stickers', 'How finders can reach you', 'Give away'] as const) await openRow(page, row);
      await expect(page.getByRole('button', { name: 'Give to someone' })).toBeVisible();
      await expect(page.getByRole('switch', { name: 'Call' })).toBeVisible();
    },
  },
  {
    name: 'owner-blocking',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByRole('button', { name: 'Block' }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'owner-reporting',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByRole('button', { name: 'Report', exact: true }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'owner-reporting-refused',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByRole('button', { name: 'Report', exact: true }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Send report' }).click();
      await expect(dialog.getByText('Choose what’s wrong.')).toBeVisible();
    },
  },
  {
    name: 'owner-deleting-conversation',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.keys}`);
      await page.getByRole('button', { name: 'Delete conversation' }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'owner-deleting',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.wallet}`);
      await page.getByRole('button', { name: 'Delete item' }).click();
      await heading(page, /^Delete .*\?$/);
    },
  },
  {
    name: 'owner-describing-the-loss',
    as: 'owner',
    async show(page, { codes }) {
      await page.goto(`/item/${codes.backpack}`);
      await page.getByRole('button', { name: 'Change the note or the reward' }).click();
      await expect(page.getByLabel('Reward (optional)')).toHaveValue('A homemade cake');
    },
  },
  ...ACCOUNT_SCREENS,
  ...SECOND_STEP_SCREENS,
  ...OPERATE_SCREENS,
  ...PASSKEY_SCREENS,
  ...SCANNER_SCREENS,
  ...STICKER_SCREENS,
  ...GIVING_SCREENS,
  ...MESSAGE_SCREENS,
  ...TROUBLE_SCREENS,
];
