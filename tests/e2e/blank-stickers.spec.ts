import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { pdftoppm } from '#tests/support/draw-pdf.ts';
import { press } from './support/keyboard.ts';
import { A4, pageSizes, readLabels, saved } from './support/printed-stickers.ts';
import { expect, test } from './support/test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

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
    await expect(page.getByRole('alert')).toContainText('We couldn’t make them.');
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
