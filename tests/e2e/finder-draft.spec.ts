import type { Page, Route } from '@playwright/test';
import { drawPhoto } from './support/draw-photo.ts';
import { signIn } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const TEXT = 'I found them near the fountain.';

/** The text is there, counted, and can be sent. */
async function expectDraft(page: Page, text = TEXT): Promise<void> {
  await expect(page.getByLabel('Your message')).toHaveValue(text);
  await expect(page.getByText(`${text.length}/250`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeEnabled();
}

test.describe('a message that was typed and not sent', { tag: '@one-width' }, () => {
  test('is counted and can be sent after a visit to the privacy page', async ({ page, story }) => {
    await page.goto(`/item/${story.codes.keys}`);
    await page.getByLabel('Your message').fill(TEXT);
    await page.getByRole('link', { name: 'Privacy' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goBack();
    await expectDraft(page);
  });

  test('is counted and can be sent after WhatsApp replaced the page', async ({ page, context, story }) => {
    await context.route('https://wa.me/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>WhatsApp</title><h1>WhatsApp</h1>' }),
    );
    // The response counts as immediate however slow the machine is; a late one would require another tap.
    await page.addInitScript(() => Object.defineProperty(performance, 'now', { value: () => 0 }));
    await page.goto(`/item/${story.codes.keys}`);
    await page.getByLabel('Your message').fill(TEXT);
    await page.getByRole('button', { name: 'WhatsApp' }).click();
    await expect(page.getByRole('heading', { name: 'WhatsApp' })).toBeVisible();
    await page.goBack();
    await expectDraft(page);
  });

  test('survives a reload, and is gone once it was sent', async ({ page, story }) => {
    await page.goto(`/item/${story.codes.keys}`);
    await page.getByLabel('Your message').fill(TEXT);
    await page.reload();
    await expectDraft(page);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('log')).toContainText(TEXT);
    await page.reload();
    await expect(page.getByText('0/250')).toBeVisible();
    await expect(page.getByLabel('Your message')).toHaveValue('');
    await expect(page.getByRole('button', { name: 'Send Message' })).toBeDisabled();
  });

  test('is counted when the browser restores it after the script has run', async ({ page, story }) => {
    await page.goto(`/item/${story.codes.keys}`);
    await expect(page.getByText('0/250')).toBeVisible();
    // As a browser that restores a form does: no input event, and `pageshow` once everything is there.
    await page.getByLabel('Your message').evaluate((field: HTMLTextAreaElement, text) => {
      field.value = text;
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    }, TEXT);
    await expectDraft(page);
  });

  test('has its place again, where it can be seen, and is sent with it', async ({ page, story }) => {
    await page.goto(`/item/${story.codes.keys}`);
    await page.getByText('Add a place').click();
    await page.getByLabel('Where is it?').fill('Front desk, 2nd floor');
    await page.getByRole('link', { name: 'Privacy' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel('Where is it?')).toBeVisible();
    await expect(page.getByLabel('Where is it?')).toHaveValue('Front desk, 2nd floor');
    await page.getByRole('button', { name: 'I left it' }).click();
    await expect(page.getByRole('log')).toContainText('Front desk, 2nd floor');
    await page.reload();
    await expect(page.getByText('0/250')).toBeVisible();
    await expect(page.getByLabel('Where is it?')).toHaveValue('');
  });

  test('is sent with the photo that the browser restored', { tag: '@rest' }, async ({ page, story }) => {
    await page.goto(`/item/${story.codes.keys}`);
    await expect(page.getByText('0/250')).toBeVisible();
    // As a browser does that goes back: the field has its file again, without an event of the field.
    await page.getByLabel('Add a photo').evaluate(
      (field: HTMLInputElement, bytes) => {
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(bytes)], 'photo.webp', { type: 'image/webp' }));
        field.files = files.files;
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      },
      [...(await drawPhoto())],
    );
    // The conversation is read before the photo arrives, and its response comes after that.
    const read = Promise.withResolvers<void>();
    const arrived = page.waitForResponse('**/photo/*');
    await page.route('**/photo/*', async (route) => {
      await read.promise;
      await route.continue();
    });
    const readEarly = async (route: Route) => {
      const response = await route.fetch();
      read.resolve();
      await arrived;
      await route.fulfill({ response });
    };
    await page.route('**/conversation', readEarly, { times: 1 });
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('log').getByRole('img', { name: 'The photo you sent' })).toBeVisible();
  });

  test('is there again in the app as well', async ({ page, service, story }) => {
    await signIn(page.context(), service.url, story.newcomer);
    await page.goto(`/item/${story.codes.keys}`);
    // The count comes with the script that keeps the text.
    await expect(page.getByText('0/250')).toBeVisible();
    await page.getByLabel('Your message').fill(TEXT);
    await page.getByRole('link', { name: 'Privacy' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
    await page.goBack();
    await expectDraft(page);
  });

  test('belongs to one item', async ({ page, story }) => {
    await page.goto(`/item/${story.codes.keys}`);
    await page.getByLabel('Your message').fill(TEXT);
    await page.goto(`/item/${story.codes.umbrella}`);
    await expect(page.getByText('0/250')).toBeVisible();
    await expect(page.getByLabel('Your message')).toHaveValue('');
  });
});
