import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { labelFormat } from '#domain/stickers/label-formats.ts';
import { cellBox } from '#domain/stickers/sheet-layout.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { decodePicture, drawPdf, pdftoppm } from '#tests/support/draw-pdf.ts';
import { press, tabTo, type } from './support/keyboard.ts';
import { openRow } from './support/open-row.ts';
import {
  A4,
  darkness,
  drawnPicture,
  inner,
  leftmostInk,
  pageSizes,
  placeOnSticker,
  readLabels,
  saved,
} from './support/printed-stickers.ts';
import { expect, newTagCode, test } from './support/test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('an owner prints labels onto a used sheet with the keyboard alone, and each is where it belongs', async ({
  page,
  newOwner,
}, info) => {
  const { client, session, code } = await newOwner(page);
  const second = newTagCode();
  const bag = { qr_id: second, user_id: session.user.id, item_type: 'bag', item_name: 'Red bag', description: null };
  expect((await client.from('items').insert(bag)).error).toBeNull();

  await page.goto('/dashboard');
  await press(page, page.getByRole('link', { name: 'Stickers', exact: true }));
  await expect(page.getByText('2 of 2 chosen')).toBeVisible();

  await tabTo(page, page.getByRole('radio', { name: 'Plain paper' }));
  await page.keyboard.press('ArrowDown');
  await press(page, page.getByRole('combobox', { name: /^Labels: / }));
  await expect(page.getByRole('combobox', { name: 'Brand, number, shape, or size' })).toBeFocused();
  await page.keyboard.type('3474');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([/^Avery Zweckform 3474/]);
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('combobox', { name: 'Labels: Avery Zweckform 3474, 70 × 37 mm, 24 on a sheet of A4' }),
  ).toBeFocused();

  await type(page, page.getByLabel('A line of your own (optional)'), 'Zoë’s');
  await tabTo(page, page.getByRole('radio', { name: 'Label 1, row 1, column 1' }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Label 8, row 3, column 2' })).toBeChecked();
  await expect(page.getByText('2 stickers on 1 page. We scanned all 2 codes as a test, and they work.')).toBeVisible();

  const pdf = await saved(page, 'Download as PDF');
  // A print dialog would shrink the page to what the printer reaches.
  expect(await readFile(pdf, 'latin1')).toMatch(/\/ViewerPreferences <<\s*\/PrintScaling \/None\s*>>/);
  const printed = info.outputPath('printed.pdf');
  await page.pdf({ path: printed, preferCSSPageSize: true });
  const format = labelFormat('zweckform-3474');
  if (format === null) throw new Error('There is no such format.');
  const links = [second, code].map((tagCode) => stickerLink(new URL(page.url()).origin, tagCode));
  for (const file of [pdf, printed]) {
    const [size, ...others] = await pageSizes(file);
    expect(others, file).toEqual([]);
    expect(size?.width).toBeCloseTo(A4.width, 0);
    expect(size?.height).toBeCloseTo(A4.height, 0);
    if (pdftoppm === undefined) continue;
    const labels = [6, 7, 8, 9].map((cell) => cellBox(format, cell));
    expect(await readLabels(file, labels), file).toEqual([null, ...links, null]);
  }

  // The printer's test page shows the same again when its numbers are entered: it is printed without them.
  await press(page, page.getByText('Line up the print with the labels'));
  await type(page, page.getByLabel('Number across, in mm'), '-1,2');
  // The page that was printed last stays, as while the print dialog is open.
  await page.evaluate(() => Object.assign(window, { print: () => {} }));
  await page.getByRole('button', { name: 'Print the test page' }).click();
  const testPage = info.outputPath('test-page.pdf');
  await page.pdf({ path: testPage, preferCSSPageSize: true });
  expect(await pageSizes(testPage)).toHaveLength(1);
  const corrected = await saved(page, 'Download as PDF');
  if (pdftoppm === undefined) return;
  const { x, y, width } = cellBox(format, 0);
  const [drawn] = await drawPdf(testPage, 200);
  const edge = (at: number) => darkness(drawn, { x: at - 0.2, y: y + 20, width: 0.4, height: 10 });
  expect(edge(x + width)).toBeGreaterThan(0.2);
  expect(edge(x + width - 1.2)).toBe(0);
  // The stickers have them.
  const [before, after] = await Promise.all([pdf, corrected].map(async (file) => (await drawPdf(file, 200))[0]));
  const moved = leftmostInk(after, cellBox(format, 7)) - leftmostInk(before, cellBox(format, 7));
  expect(Math.abs(moved + 1.2)).toBeLessThan(0.2);
});

test('one sticker is saved as a picture that a scanner reads, with the owner’s line and color', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await page.goto('/stickers');
  await expect(page).toHaveURL(/\/auth$/);
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code).throwOnError();
  await page.goto(`/item/${code}`);
  await openRow(page, 'Stickers');
  await page.getByRole('button', { name: `Print ${typedCodeOf(code)}` }).click();
  await page.getByRole('link', { name: 'More sizes and sheets' }).click();
  await expect(page).toHaveURL(`/stickers?item=${code}`);
  await page.getByRole('radio', { name: 'One sticker, no sheet' }).check();
  await page.getByLabel('Size of a sticker').selectOption('large');
  await page.getByRole('radio', { name: 'Blue' }).check();
  await page.getByLabel('A line of your own (optional)').fill('Dana’s <bag> & co');

  const png = sharp(await saved(page, 'Download as PNG'));
  const { width, height } = await png.metadata();
  // 50 × 65 mm at 600 dots per inch.
  expect([width, height]).toEqual([1181, 1535]);
  const link = stickerLink(new URL(page.url()).origin, code);
  expect(await decodePicture(png)).toBe(link);

  const file = await saved(page, 'Download as SVG');
  const svg = await readFile(file, 'utf8');
  expect(svg).toContain('width="50mm" height="65mm"');
  for (const text of ['Dana’s &lt;bag&gt; &amp; co', 'Found? Scan me', typedCodeOf(code), '#1746a2']) {
    expect(svg).toContain(text);
  }
  expect(await decodePicture(sharp(file, { density: 300 }))).toBe(link);

  const [size] = await pageSizes(await saved(page, 'Download as PDF'));
  expect(size?.width).toBeCloseTo(50, 1);
  expect(size?.height).toBeCloseTo(65, 1);
});

test('a sticker calls its finder in the language of the page, or in the one that the owner chooses', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/stickers');
  await page.getByRole('radio', { name: 'One sticker, no sheet' }).check();
  const language = page.getByLabel('Language', { exact: true });
  await expect(language).toHaveValue('en');
  await language.selectOption('Deutsch');
  await expect(page.getByLabel(/Gefunden\? Scan!/)).toBeChecked();
  expect(await readFile(await saved(page, 'Download as SVG'), 'utf8')).toContain('Gefunden? Scan!');

  await page.reload();
  await expect(language).toHaveValue('de');
  await page.getByLabel(/Gefunden\? Scan!/).uncheck();
  await expect(language).toHaveCount(0);
});

test('a line in another script is fetched once it is typed, and printed as it is shown', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { code } = await newOwner(page);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  const letters = () => fetched.filter((path) => /harfbuzz|typeset|noto-sans/.test(path));
  await page.goto(`/stickers?item=${code}`);
  await page.getByRole('radio', { name: 'One sticker, no sheet' }).check();
  await page.getByLabel('Size of a sticker').selectOption('large');
  const line = page.getByLabel('A line of your own (optional)');
  await line.fill('Dana’s');
  const print = page.getByRole('button', { name: 'Print', exact: true });
  await expect(print).toBeEnabled();
  expect(letters()).toEqual([]);

  await line.fill('مفاتيح Dana 12');
  await expect(page.getByRole('img', { name: /^The sticker of/ }).locator('path[transform]')).toHaveCount(1);
  await expect(print).toBeEnabled();
  const link = stickerLink(new URL(page.url()).origin, code);
  const png = await saved(page, 'Download as PNG');
  const svg = await saved(page, 'Download as SVG');
  const pdf = await saved(page, 'Download as PDF');
  expect(await decodePicture(sharp(png))).toBe(link);
  expect(await decodePicture(sharp(svg, { density: 300 }).flatten({ background: '#ffffff' }))).toBe(link);
  // The line is equally dark in all three, at the place where the preview has it.
  const place = await placeOnSticker(page.locator('[role=img] path[transform]'));
  const dark = darkness(await drawnPicture(sharp(png)), place);
  expect(dark).toBeGreaterThan(0.1);
  expect(Math.abs(darkness(await drawnPicture(sharp(svg, { density: 300 })), place) / dark - 1)).toBeLessThan(0.1);
  if (pdftoppm !== undefined) {
    const [drawn] = await drawPdf(pdf, 300);
    expect(Math.abs(darkness(drawn, place) / dark - 1)).toBeLessThan(0.1);
  }
  const before = letters().length;
  await line.fill('مفاتيح Dana 123');
  await expect(print).toBeEnabled();
  expect(letters()).toHaveLength(before);
});

const BLACK_LOGO = {
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><rect width="30" height="10"/></svg>',
  ),
};

async function chooseLogo(page: Page, file: typeof BLACK_LOGO): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Choose (a picture|another)$/ }).click();
  await (await chooser).setFiles(file);
}

test('a logo is printed as it is shown, is taken off again, and a file that is no picture is refused', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { code } = await newOwner(page);
  await page.goto(`/stickers?item=${code}`);
  await page.getByRole('radio', { name: 'One sticker, no sheet' }).check();
  await page.getByLabel('Size of a sticker').selectOption('large');
  const print = page.getByRole('button', { name: 'Print', exact: true });
  await expect(print).toBeEnabled();

  await chooseLogo(page, { name: 'list.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await expect(page.getByRole('alert')).toHaveText(
    'We can’t read this file. Choose a picture, such as a PNG, JPEG, or SVG file.',
  );
  await expect(print).toBeEnabled();

  await chooseLogo(page, BLACK_LOGO);
  await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  const drawn = page.getByRole('img', { name: /^The sticker of/ }).locator('image');
  await expect(drawn).toHaveCount(1);
  await expect(print).toBeEnabled();

  const link = stickerLink(new URL(page.url()).origin, code);
  const png = await saved(page, 'Download as PNG');
  const picture = await saved(page, 'Download as SVG');
  const pdf = await saved(page, 'Download as PDF');
  expect(await decodePicture(sharp(png))).toBe(link);
  expect(await decodePicture(sharp(picture, { density: 300 }).flatten({ background: '#ffffff' }))).toBe(link);
  const place = await placeOnSticker(drawn);
  expect(darkness(await drawnPicture(sharp(png)), inner(place))).toBeGreaterThan(0.98);
  expect(darkness(await drawnPicture(sharp(picture, { density: 300 })), inner(place))).toBeGreaterThan(0.98);
  if (pdftoppm !== undefined) {
    const [first] = await drawPdf(pdf, 300);
    expect(darkness(first, inner(place))).toBeGreaterThan(0.98);
  }

  await page.getByRole('button', { name: 'Remove logo' }).click();
  await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeFocused();
  await expect(drawn).toHaveCount(0);
});

test('the look of stickers is kept for the account in this browser, until it signs out', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/stickers');
  const line = page.getByLabel('A line of your own');
  const logo = page.getByRole('img', { name: 'Your logo' });
  await chooseLogo(page, BLACK_LOGO);
  await line.fill('Lab 3');
  await page.getByRole('radio', { name: 'Blue' }).check();
  await page.getByRole('checkbox', { name: /^The code to type/ }).uncheck();
  await expect(logo).toBeVisible();
  const source = await logo.getAttribute('src');

  await page.goto('/dashboard');
  await page.goto('/stickers');
  await expect(line).toHaveValue('Lab 3');
  await expect(page.getByRole('radio', { name: 'Blue' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: /^The code to type/ })).not.toBeChecked();
  await expect(logo).toHaveAttribute('src', source ?? '');

  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('private')));
  expect(await kept()).toHaveLength(1);
  // Another account that signs in over the first.
  const { session } = await newOwner();
  await page.evaluate((other) => localStorage.setItem('reunite_supabase_auth', JSON.stringify(other)), session);
  await page.goto('/stickers');
  await expect(line).toHaveValue('');
  await expect(logo).toHaveCount(0);

  await page.goto('/profile');
  await press(page, page.getByRole('button', { name: 'Sign Out' }));
  await expect(page).toHaveURL('/');
  expect(await kept()).toEqual([]);
});

test.describe('without a connection', () => {
  test.use({ refusals: ['no connection'] });

  test('letters that cannot be fetched are reported, and fetched later', {
    tag: ['@one-width', '@rest'],
  }, async ({ page, newOwner }) => {
    await newOwner(page);
    await page.goto('/stickers');
    await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
    await page.route('**/assets/typeset-worker-*', (route) => route.abort());
    await page.getByLabel('A line of your own (optional)').fill('Ключ');
    await expect(page.getByRole('alert')).toHaveText(
      'We couldn’t get the letters for your line. Check your connection and try again.',
    );
    await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeDisabled();
    await page.unroute('**/assets/typeset-worker-*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
  });
});

test('what cannot be printed is refused by name, and a code that cannot be read is not offered', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  const bag = { qr_id: newTagCode(), user_id: session.user.id, item_type: 'bag', item_name: 'Red bag' };
  expect((await client.from('items').insert(bag)).error).toBeNull();
  await page.goto('/stickers');
  const print = page.getByRole('button', { name: 'Print', exact: true });
  await expect(print).toBeEnabled();

  const line = page.getByLabel('A line of your own (optional)');
  await line.fill('שלום 🙂');
  await expect(page.getByText('The character “🙂” (U+1F642) can’t be printed.')).toBeVisible();
  await expect(print).toHaveCount(0);
  await line.fill('Return to Zoë');
  await expect(print).toBeEnabled();

  await page.getByLabel('Your own', { exact: true }).fill('#ff9900');
  await expect(page.getByRole('alert')).toHaveText(
    'This color is too light on white paper. Cameras couldn’t read the code.',
  );
  await expect(print).toHaveCount(0);
  await page.getByRole('radio', { name: 'Black' }).check();

  // A reader that reads only the first code it sees.
  await page.addInitScript(() => {
    let isFirst = true;
    class OneOnly {
      static getSupportedFormats = async () => ['qr_code'];
      detect = async (picture: HTMLCanvasElement) => {
        // The first canvas is empty, and asks whether the detector works.
        if (picture.height < 200 || !isFirst) return [];
        isFirst = false;
        return [{ rawValue: expectedLink() }];
      };
    }
    const expectedLink = () => sessionStorage.getItem('expected') ?? '';
    Object.defineProperty(window, 'BarcodeDetector', { value: OneOnly });
  });
  await page.evaluate((link) => sessionStorage.setItem('expected', link), `${new URL(page.url()).origin}/${bag.qr_id}`);
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText(/^The code of My Tagged Item can’t be scanned like this/);
  await expect(page.getByText('1 sticker on 1 page. We scanned the code as a test, and it works.')).toBeVisible();
});
