import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from '@playwright/test';
import sharp, { type Sharp } from 'sharp';
import { labelFormat } from '#domain/stickers/label-formats.ts';
import { type Box, cellBox } from '#domain/stickers/sheet-layout.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { type DrawnPage, decodePart, decodePicture, drawPdf, pdftoppm } from '#tests/support/draw-pdf.ts';
import { press, tabTo, type } from './support/keyboard.ts';
import { expect, newTagCode, test } from './support/test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const A4 = { width: 210, height: 297 };

async function saved(page: Page, button: string): Promise<string> {
  const arrives = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const download: Download = await arrives;
  return download.path();
}

/** The sizes of a PDF's pages in millimeters. */
async function pageSizes(file: string): Promise<{ width: number; height: number }[]> {
  const text = (await readFile(file)).toString('latin1');
  return Array.from(text.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g), ([, width, height]) => ({
    width: (Number(width) / 72) * 25.4,
    height: (Number(height) / 72) * 25.4,
  }));
}

/** What a scanner reads in each of these labels of a PDF's first page. */
async function readLabels(file: string, labels: readonly Box[]): Promise<(string | null)[]> {
  const [page] = await drawPdf(file, 200);
  if (page === undefined) throw new Error('The PDF has no page.');
  return Promise.all(labels.map((label) => decodePart(page, label)));
}

/** How dark a part of the page is: from 0, white, to 1. */
function darkness(page: DrawnPage | undefined, { x, y, width, height }: Box): number {
  if (page === undefined) throw new Error('The PDF has no page.');
  const scale = page.pixelsPerMm;
  let [sum, count] = [0, 0];
  for (let row = Math.floor(y * scale); row < (y + height) * scale; row += 1) {
    for (let column = Math.floor(x * scale); column < (x + width) * scale; column += 1) {
      sum += 1 - (page.pixels[row * page.width + column] ?? 255) / 255;
      count += 1;
    }
  }
  return sum / count;
}

/** Where the first ink from the left is within a part of the page, in millimeters. */
function leftmostInk(page: DrawnPage | undefined, { x, y, width, height }: Box): number {
  if (page === undefined) throw new Error('The PDF has no page.');
  const column = 1 / page.pixelsPerMm;
  for (let at = x; at < x + width; at += column) {
    if (darkness(page, { x: at, y, width: column, height }) > 0.05) return at;
  }
  throw new Error('There is no ink.');
}

/** A picture of a sticker that is 50 mm wide, as a page. */
async function drawnPicture(picture: Sharp): Promise<DrawnPage> {
  const flat = picture.resize(591).flatten({ background: '#ffffff' }).grayscale();
  const { data, info } = await flat.raw().toBuffer({ resolveWithObject: true });
  return { ...info, pixels: new Uint8Array(data), pixelsPerMm: info.width / 50 };
}

/** Where a part of the picture is on a sticker that is 50 mm wide, in millimeters. */
function placeOnSticker(part: Locator): Promise<Box> {
  return part.evaluate((element) => {
    const sticker = element.closest('svg')?.getBoundingClientRect() ?? new DOMRect();
    const { x, y, width, height } = element.getBoundingClientRect();
    const scale = 50 / sticker.width;
    return { x: (x - sticker.x) * scale, y: (y - sticker.y) * scale, width: width * scale, height: height * scale };
  });
}

/** The box without its edges, where pixels are mixed. */
function inner({ x, y, width, height }: Box): Box {
  return { x: x + 0.3, y: y + 0.3, width: width - 0.6, height: height - 0.6 };
}

test('an owner prints labels onto a used sheet with the keyboard alone, and each is where it belongs', async ({
  page,
  newOwner,
}, info) => {
  const { client, session, code } = await newOwner(page);
  const second = newTagCode();
  const bag = { qr_id: second, user_id: session.user.id, item_type: 'bag', item_name: 'Red bag', description: null };
  expect((await client.from('items').insert(bag)).error).toBeNull();

  await page.goto('/dashboard');
  await press(page, page.getByRole('link', { name: 'Print stickers' }));
  await expect(page.getByText('2 of 2 chosen')).toBeVisible();

  await tabTo(page, page.getByRole('radio', { name: 'Plain paper' }));
  await page.keyboard.press('ArrowDown');
  await press(page, page.getByRole('combobox', { name: /^Labels: / }));
  await page.keyboard.type('3474');
  await expect(page.getByRole('option')).toHaveText([/^Avery Zweckform 3474/]);
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
  await press(page, page.getByText('The print is a little off?'));
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
  const { code } = await newOwner(page);
  await page.goto(`/item/${code}`);
  await page.getByRole('button', { name: 'Print a sticker' }).first().click();
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

test.describe('labels that an owner measured', () => {
  // A name that is taken.
  test.use({ refusals: [409] });

  test('they are saved for the account, renamed, and removed', {
    tag: ['@one-width', '@rest'],
  }, async ({ page, newOwner }) => {
    const { client } = await newOwner(page);
    await page.goto('/stickers');
    await page.getByRole('radio', { name: 'Labels of another size' }).check();
    await page.getByLabel('Labels side by side', { exact: true }).fill('2');
    await page.getByLabel('Width of a label').fill('52,5');
    const name = page.getByLabel('Name of these labels');
    await expect(name).toHaveValue('My labels');
    await type(page, name, 'Jars');
    await press(page, page.getByRole('button', { name: 'Save these labels' }));
    await expect(page.getByRole('radio', { name: 'Jars 52.5 ×' })).toBeChecked();
    await expect(name).toHaveCount(0);

    await page.getByLabel('Labels side by side', { exact: true }).fill('3');
    await expect(page.getByRole('radio', { name: 'Jars 52.5 ×' })).not.toBeChecked();
    await name.fill('Jars');
    await page.getByRole('button', { name: 'Save these labels' }).click();
    await expect(page.getByText('You have labels with this name.')).toBeVisible();
    await press(page, page.getByRole('radio', { name: 'Jars 52.5 ×' }), 'Space');
    await expect(page.getByLabel('Labels side by side', { exact: true })).toHaveValue('2');

    // Measured wrongly the first time.
    const width = page.getByLabel('Width of a label');
    await width.fill('53');
    await press(page, page.getByRole('button', { name: 'Save changes to “Jars”' }));
    await expect(page.getByRole('radio', { name: 'Jars 53 ×' })).toBeChecked();
    await expect(name).toHaveCount(0);
    await width.fill('52.5');
    await page.getByRole('button', { name: 'Save changes to “Jars”' }).click();
    await expect(page.getByRole('radio', { name: 'Jars 52.5 ×' })).toBeChecked();

    await press(page, page.getByRole('button', { name: 'Rename or remove Jars' }));
    await page.getByRole('dialog').getByLabel('Name of these labels').fill('Jars in the cellar');
    await press(page, page.getByRole('button', { name: 'Save name' }));
    await expect(page.getByRole('radio', { name: 'Jars in the cellar 52.5 ×' })).toBeChecked();
    const { data } = await client.from('measured_labels').select('name, label_width, columns').throwOnError();
    expect(data).toEqual([{ name: 'Jars in the cellar', label_width: 52.5, columns: 2 }]);

    await page.getByRole('button', { name: 'Rename or remove Jars in the cellar' }).click();
    await press(page, page.getByRole('button', { name: 'Remove', exact: true }));
    await expect(page.getByRole('group', { name: 'Your saved labels' })).toHaveCount(0);
    expect((await client.from('measured_labels').select()).data).toEqual([]);
  });
});

test('round labels and a roll that an owner measured: what is printed is of their size', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  await page.goto('/stickers');
  await page.getByRole('radio', { name: 'Labels of another size' }).check();
  await page.getByLabel('Shape of a label').selectOption('Round');
  await page.getByLabel('Paper', { exact: true }).selectOption('A4');
  await page.getByLabel('Diameter of a label').fill('40');
  await expect(page.getByLabel('Height of a label')).toHaveCount(0);
  await page.getByLabel('Labels below each other', { exact: true }).fill('6');
  await page.getByLabel('Paper’s left edge to the first label').fill('4');
  await page.getByLabel('Paper’s top edge to the first label').fill('12.7');
  await page.getByRole('button', { name: 'Save these labels' }).click();
  await expect(page.getByRole('radio', { name: 'My labels Round, 40 mm, 18 on a sheet of A4' })).toBeChecked();
  const sheet = await saved(page, 'Download as PDF');

  await page.getByLabel('Paper', { exact: true }).selectOption('A roll, one label after the other');
  await page.getByLabel('Shape of a label').selectOption('Rectangle or square');
  await page.getByLabel('Width of a label').fill('50');
  await page.getByLabel('Height of a label').fill('30');
  await expect(page.getByLabel('Labels side by side', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Save these labels' }).click();
  await expect(page.getByRole('radio', { name: 'My labels 2 50 × 30 mm, on a roll' })).toBeChecked();
  const [size, ...others] = await pageSizes(await saved(page, 'Download as PDF'));
  expect(others).toEqual([]);
  expect(size?.width).toBeCloseTo(50, 0);
  expect(size?.height).toBeCloseTo(30, 0);

  const columns = 'page, shape, label_width, label_height, columns, rows';
  const { data } = await client.from('measured_labels').select(columns).order('name').throwOnError();
  expect(data).toEqual([
    { page: 'a4', shape: 'round', label_width: 40, label_height: 40, columns: 3, rows: 6 },
    { page: 'label', shape: 'rectangle', label_width: 50, label_height: 30, columns: 1, rows: 1 },
  ]);
  if (pdftoppm === undefined) return;
  const [drawn] = await drawPdf(sheet, 200);
  const first = { x: 4, y: 12.7, width: 40, height: 40 };
  const link = stickerLink(new URL(page.url()).origin, code);
  expect(await readLabels(sheet, [first])).toEqual([link]);
  // Nothing is printed in the corners, outside the circle.
  const corner = 5.5;
  for (const x of [first.x, first.x + first.width - corner]) {
    for (const y of [first.y, first.y + first.height - corner]) {
      expect(darkness(drawn, { x, y, width: corner, height: corner })).toBe(0);
    }
  }
});

test('labels that only the browser has kept are saved for the account once', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client } = await newOwner(page);
  await page.goto('/dashboard');
  const measured = { page: 'a4', width: 50, height: 30, columns: 3, rows: 8, left: 10, top: 12, gapX: 2.5, gapY: 0 };
  const kept = {
    paper: 'measured',
    page: 'a4',
    size: 'medium',
    format: 'avery-7160',
    measured,
    offset: { x: 0, y: 0 },
  };
  await page.evaluate((setup) => localStorage.setItem('reunite_sticker_paper', JSON.stringify(setup)), kept);
  await page.goto('/stickers');
  await expect(page.getByRole('radio', { name: 'My labels 50 × 30 mm' })).toBeChecked();

  await client.from('measured_labels').delete().eq('name', 'My labels').throwOnError();
  await page.reload();
  await expect(page.getByLabel('Width of a label')).toHaveValue('50');
  await expect(page.getByLabel('Name of these labels')).toBeVisible();
  expect((await client.from('measured_labels').select()).data).toEqual([]);
});

test.describe('where responses are lost', () => {
  test.use({ refusals: ['no connection'] });

  test('blank stickers are made once, however often the owner presses', {
    tag: ['@one-width', '@rest'],
  }, async ({ page, newOwner }) => {
    const { client } = await newOwner(page);
    await page.goto('/stickers');
    await page.getByRole('radio', { name: 'Blank stickers' }).check();
    await page.getByLabel('How many new ones?').fill('3');
    await page.route('**/rpc/list_blank_codes', (route) => route.abort());
    await page.route('**/rpc/make_blank_codes', async (route) => {
      await route.fetch();
      await route.abort();
    });
    const make = page.getByRole('button', { name: 'Make 3 blank stickers' });
    await press(page, make);
    await expect(page.getByRole('alert')).toContainText('Couldn’t make them.');
    // The screen has tried to list them, too.
    await expect(make).toBeEnabled();
    expect((await client.rpc('list_blank_codes')).data).toHaveLength(3);

    await page.unroute('**/rpc/make_blank_codes');
    await page.unroute('**/rpc/list_blank_codes');
    await press(page, make);
    await expect(page.getByRole('checkbox', { name: '3 unused, made' })).toBeChecked();
    expect((await client.rpc('list_blank_codes')).data).toHaveLength(3);
  });
});

test('an owner prints blank stickers, tags one that is scanned, and discards the others', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, newOwner }) => {
  const { client } = await newOwner(page);
  await page.goto('/stickers');
  await page.getByRole('radio', { name: 'Blank stickers' }).check();
  await expect(page.getByText('Choose what to print, and you’ll see it here.')).toBeVisible();
  await page.getByLabel('How many new ones?').fill('3');
  await press(page, page.getByRole('button', { name: 'Make 3 blank stickers' }));
  await expect(page.getByRole('checkbox', { name: '3 unused, made' })).toBeChecked();
  // The form starts again, and its button with it.
  await expect(page.getByText('A blank sticker is yours from the start')).toBeFocused();
  await expect(page.getByText('We scanned all 3 codes as a test, and they work.')).toBeVisible();
  const { data } = await client.rpc('list_blank_codes').throwOnError();
  const codes = (data as { qr_id: string }[]).map(({ qr_id }) => qr_id);
  expect(codes).toHaveLength(3);
  const pdf = await saved(page, 'Download as PDF');
  expect(await pageSizes(pdf)).toHaveLength(1);
  if (pdftoppm !== undefined) {
    // Whichever of them a scanner reads first.
    const [read] = await readLabels(pdf, [{ x: 0, y: 0, ...A4 }]);
    expect(codes.map((code) => stickerLink(new URL(page.url()).origin, code))).toContain(read);
  }

  const finder = await another();
  await finder.goto(`/${codes[0]}`);
  await expect(finder.getByText('Dana')).not.toHaveCount(0);
  await page.goto(`/${codes[0]}`);
  await page.getByRole('radio', { name: 'Glasses' }).check();
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();

  await page.goto('/stickers');
  await page.getByRole('radio', { name: 'Blank stickers' }).check();
  await page.getByRole('button', { name: 'Discard 2 unused, made' }).click();
  await expect(page.getByText('Someone who finds them may use them for their own things')).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Discard', exact: true }));
  await expect(page.getByRole('checkbox', { name: 'unused' })).toHaveCount(0);
  await expect(page.getByText('A blank sticker is yours from the start')).toBeFocused();
  expect((await client.rpc('list_blank_codes')).data).toEqual([]);
});
