import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { drawPdf, pdftoppm } from '#tests/support/draw-pdf.ts';
import { press, type } from './support/keyboard.ts';
import { darkness, pageSizes, readLabels, saved } from './support/printed-stickers.ts';
import { expect, test } from './support/test.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

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
    await expect.poll(async () => (await client.from('measured_labels').select()).data).toEqual([]);
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
