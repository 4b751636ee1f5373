import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { labelFormat } from '#domain/stickers/label-formats.ts';
import { cellBox } from '#domain/stickers/sheet-layout.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { decodePart, decodePicture, drawPdf, pdftoppm } from '#tests/support/draw-pdf.ts';
import { openRow } from './support/open-row.ts';
import { operatorClient } from './support/register-person.ts';
import { skipFirstVisit } from './support/skip-first-visit.ts';
import { expect, newTagCode, test } from './support/test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const REASON = 'A box of these stickers was stolen.';

async function saved(page: Page, button: string): Promise<string> {
  const arrives = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return (await arrives).path();
}

/** What a scanner reads in the first three labels of a sheet. */
async function readSheet(file: string): Promise<(string | null)[]> {
  const format = labelFormat('zweckform-3474');
  const [page] = await drawPdf(file, 200);
  if (format === null || page === undefined) throw new Error('There is no such sheet.');
  return Promise.all([0, 1, 2].map((cell) => decodePart(page, cellBox(format, cell))));
}

async function chooseSheet(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Label sheets or rolls' }).check();
  await page.getByRole('combobox', { name: /^Labels: / }).click();
  await page.getByRole('combobox', { name: 'Brand, number, shape, or size' }).fill('3474');
  await page.getByRole('option', { name: 'Avery Zweckform 3474' }).click();
}

test('a void sticker is never printed: it is listed with its reason, which its owner reads first', {
  tag: ['@one-width', '@rest'],
}, async ({ page, service, newOwner }) => {
  const { client, session, code } = await newOwner(page);
  const [bag, second] = [newTagCode(), newTagCode()];
  const item = { qr_id: bag, user_id: session.user.id, item_type: 'bag', item_name: 'Red bag' };
  const { data: made } = await client.from('items').insert(item).select('id').single().throwOnError();
  await client.rpc('attach_qr_code', { qr_id_param: second, item_id_param: made.id }).throwOnError();
  const operator = await operatorClient(service);
  for (const qr_id_param of [bag, second]) {
    await operator.rpc('void_code', { qr_id_param, reason_param: REASON, claimed_too: true }).throwOnError();
  }

  await page.goto('/stickers');
  const list = page.getByRole('group', { name: 'Items that get a sticker' });
  await expect(list.getByRole('checkbox', { name: 'My Tagged Item' })).toBeChecked();
  for (const name of ['Red bag', 'Red bag (2nd sticker)']) {
    const option = list.getByRole('checkbox', { name: `${name} ` });
    await expect(option.last()).toBeDisabled();
    await expect(option.last()).not.toBeChecked();
  }
  await expect(list.getByText(REASON)).toHaveCount(2);
  await expect(page.getByText('1 of 1 chosen')).toBeVisible();
  await chooseSheet(page);
  await expect(page.getByText('1 sticker on 1 page. We scanned the code as a test, and it works.')).toBeVisible();
  const link = stickerLink(new URL(page.url()).origin, code);
  const pdf = await saved(page, 'Download as PDF');
  if (pdftoppm !== undefined) expect(await readSheet(pdf)).toEqual([link, null, null]);

  for (const from of [bag, second]) {
    await page.goto(`/stickers?item=${from}`);
    await expect(page.getByText('This sticker no longer works')).toBeVisible();
    await expect(page.getByText('0 of 1 chosen')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Print', exact: true })).toHaveCount(0);
  }

  await page.goto(`/item/${bag}`);
  await openRow(page, 'Stickers');
  await expect(page.getByRole('region', { name: 'Stickers' }).getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('button', { name: /^Print/ })).toHaveCount(0);
  await page.goto(`/item/${code}`);
  await skipFirstVisit(page);
  await openRow(page, 'Stickers');
  await expect(page.getByRole('button', { name: /^Print/ })).not.toHaveCount(0);
});

test('a further sticker of an item is printed alone, from its own link, in each kind of file', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  const [code, second] = [newTagCode(), newTagCode()];
  const item = { qr_id: code, user_id: session.user.id, item_type: 'bag', item_name: 'Red bag' };
  const { data: own } = await client.from('items').insert(item).select('id').single().throwOnError();
  await client.rpc('attach_qr_code', { qr_id_param: second, item_id_param: own.id }).throwOnError();
  await page.goto(`/item/${code}`);
  await openRow(page, 'Stickers');
  await page.getByRole('button', { name: `Print ${typedCodeOf(second)}` }).click();
  await page.getByRole('link', { name: 'More sizes and sheets' }).click();
  await expect(page).toHaveURL(`/stickers?item=${second}`);

  const list = page.getByRole('group', { name: 'Items that get a sticker' });
  const further = list.getByRole('checkbox', { name: `Red bag (2nd sticker) ${typedCodeOf(second)}` });
  const first = list.getByRole('checkbox', { name: `Red bag ${typedCodeOf(code)}` });
  await expect(further).toBeChecked();
  await expect(first).not.toBeChecked();
  await expect(page.getByText('1 of 3 chosen')).toBeVisible();
  await expect(page.getByRole('img', { name: 'The sticker of Red bag (2nd sticker)' })).toBeVisible();

  const [link, firstLink] = [second, code].map((each) => stickerLink(new URL(page.url()).origin, each));
  await chooseSheet(page);
  const sheet = await saved(page, 'Download as PDF');
  await page.getByRole('radio', { name: 'One sticker, no sheet' }).check();
  await page.getByLabel('Size of a sticker').selectOption('large');
  expect(await decodePicture(sharp(await saved(page, 'Download as PNG')))).toBe(link);
  const svg = await readFile(await saved(page, 'Download as SVG'));
  expect(await decodePicture(sharp(svg, { density: 300 }).flatten({ background: '#ffffff' }))).toBe(link);
  expect(svg.toString()).toContain(typedCodeOf(second));
  await first.check();
  await chooseSheet(page);
  const both = await saved(page, 'Download as PDF');
  if (pdftoppm === undefined) return;
  expect(await readSheet(sheet)).toEqual([link, null, null]);
  expect(await readSheet(both)).toEqual([firstLink, link, null]);
});

test('an item’s sticker is read again before it is offered on its page', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code).throwOnError();
  await page.addInitScript(() => {
    class Detector {
      static getSupportedFormats = async () => ['qr_code'];
      // It waits for the test, and reads what the test has set.
      detect = async ({ height }: HTMLCanvasElement) => {
        if (height < 200) return [];
        const rawValue = await new Promise<string>((resolve) => Object.assign(window, { read: resolve }));
        return [{ rawValue }];
      };
    }
    Object.defineProperty(window, 'BarcodeDetector', { value: Detector });
  });
  const dialog = page.getByRole('dialog');
  const print = dialog.getByRole('button', { name: 'Print', exact: true });
  const openDialog = async () => {
    await page.goto(`/item/${code}`);
    await openRow(page, 'Stickers');
    await page.getByRole('button', { name: `Print ${typedCodeOf(code)}` }).click();
    await expect(dialog.getByText('We’re checking that the code can be scanned')).toBeVisible();
    await expect(print).toBeDisabled();
    await expect(page.locator('.print-alone')).toHaveCount(0);
    await page.waitForFunction(() => 'read' in window);
  };
  const read = (text: string) => page.evaluate((value) => Reflect.get(window, 'read')(value), text);

  await openDialog();
  await read('https://example.org/another');
  await expect(dialog.getByText('This code can’t be scanned')).toBeVisible();
  await expect(print).toBeDisabled();
  await expect(page.locator('.print-alone')).toHaveCount(0);

  await openDialog();
  await read(stickerLink(new URL(page.url()).origin, code));
  await expect(dialog.getByText('We scanned the code as a test, and it works.')).toBeVisible();
  await expect(print).toBeEnabled();
  await expect(page.locator('.print-alone')).toHaveCount(1);
});
