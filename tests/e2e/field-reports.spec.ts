import type { Page } from '@playwright/test';
import { openRow } from './support/open-row.ts';
import { newPhone, register } from './support/register-owner.ts';
import { skipFirstVisit } from './support/skip-first-visit.ts';
import { expect, newTagCode, test } from './support/test.ts';

const boxes = async (page: Page) =>
  (await page.getByRole('textbox').evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value))).join('');

async function paste(page: Page, text: string): Promise<void> {
  await page
    .getByRole('textbox')
    .first()
    .evaluate((box, pasted) => {
      const data = new DataTransfer();
      data.setData('text/plain', pasted);
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
}

test('a code is read with the digits of any keyboard, and out of a pasted message [K90]', {
  tag: '@one-width',
}, async ({ page }) => {
  await register(
    page,
    '/auth?mode=register',
    `${crypto.randomUUID()}@example.com`,
    'three keys on a ribbon',
    newPhone(),
  );
  const first = page.getByRole('textbox').first();
  const submissions = await countSubmissions(page);
  for (const [before, typed] of ['٤٠٧٠٢٦', '４０７０２６', '407026'].entries()) {
    await first.focus();
    for (const digit of typed) await page.keyboard.insertText(digit);
    await expect.poll(() => boxes(page)).toBe('407026');
    await expect.poll(submissions).toBe(before + 1);
    for (let place = 0; place < 6; place += 1) await page.keyboard.press('Backspace');
    await expect.poll(() => boxes(page)).toBe('');
  }
  await paste(page, 'Reunite 2026: your code is 868 296. It is valid for 10 minutes.');
  await expect.poll(() => boxes(page)).toBe('868296');
  await expect(page.getByRole('button', { name: 'Verify' })).toBeEnabled();
  await expect.poll(submissions).toBe(4);

  // Over a code that was refused: its first digits change nothing yet, its last one does, also where it is the same.
  await page.keyboard.press('Home');
  await page.keyboard.type('12345');
  await expect.poll(() => boxes(page)).toBe('123456');
  expect(await submissions()).toBe(4);
  await page.keyboard.type('6');
  await expect.poll(submissions).toBe(5);
});

/** Counts the forms that the page submits, and keeps them from being sent. */
async function countSubmissions(page: Page): Promise<() => Promise<number>> {
  const count = await page.evaluateHandle(() => {
    const seen = { forms: 0 };
    const note = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      seen.forms += 1;
    };
    document.addEventListener('submit', note, { capture: true });
    return seen;
  });
  return () => count.evaluate(({ forms }) => forms);
}

test('an owner who scans their own sticker and logs in gets to the item [K91]', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { email, password, code } = await newOwner();
  await page.goto(`/${code}`);
  await page.getByRole('link', { name: 'Log In' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/item/${code}`));
  await expect(page.getByRole('heading', { name: 'It’s tagged. What is it?' })).toBeVisible();
});

test('the sign-up with a code that has an owner says so [K91]', { tag: '@one-width' }, async ({ page, newOwner }) => {
  const { code } = await newOwner();
  for (const path of [`/auth/${code}`, `/auth/${code}?mode=login`]) {
    await page.goto(path);
    await expect(page.getByText('This sticker is already registered')).toBeVisible();
    await expect(page.getByText('isn’t one of ours')).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Open its page' }).click();
  await expect(page.getByRole('heading', { name: /^You found/ })).toBeVisible();
});

test.describe('the address of a sticker with a mark of the text after it', () => {
  for (const mark of ['.', ')', ').', ',', '*', '_', '”', '。']) {
    test(`leads to the finder’s page: ${mark}`, { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
      const { code } = await newOwner();
      await page.goto(`/${code}${encodeURIComponent(mark)}`);
      await expect(page).toHaveURL(`/item/${code}`);
      await expect(page.getByRole('heading', { name: /^You found/ })).toBeVisible();
    });
  }
});

test.describe('over plain HTTP, as on a home network', () => {
  test('a link is copied, and the scanner says that a camera needs https [K91]', {
    tag: '@one-width',
  }, async ({ page, newOwner }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'isSecureContext', { value: false });
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      Object.defineProperty(navigator, 'mediaDevices', { value: undefined });
      Object.defineProperty(navigator, 'share', { value: undefined });
      document.addEventListener('copy', () => {
        document.documentElement.dataset.copied = String(getSelection());
      });
    });
    const { code } = await newOwner(page);
    const copied = () => page.evaluate(() => document.documentElement.dataset.copied);
    await page.goto(`/item/${code}`);
    await skipFirstVisit(page);
    await openRow(page, 'Stickers');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByText('Link copied to clipboard')).toBeVisible();
    expect(await copied()).toContain(`/?code=${code}`);

    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Scan QR to Tag New Item' }).first().click();
    await expect(page.getByRole('alert')).toContainText('The camera needs https');

    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await page.goto(`/${code}`);
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.getByText('Link copied to clipboard')).toBeVisible();
    expect(await copied()).toContain(`/item/${code}`);
  });
});

test('a code without an owner still invites to register', { tag: ['@one-width', '@rest'] }, async ({ page }) => {
  const code = newTagCode();
  await page.goto(`/auth/${code}`);
  await expect(page.getByText(`Creating an account to tag your item with QR code: ${code}`)).toBeVisible();
});
