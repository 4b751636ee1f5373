import { expect, type Page } from '@playwright/test';
import type { Screen } from './screens.ts';

/** Opens the screen, and waits until every code has been read again. */
async function openStickers(page: Page, query = ''): Promise<void> {
  await page.goto(`/stickers${query}`);
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
}

/** Chooses a label format by what is on its package. */
async function chooseLabels(page: Page, number: string, name: string): Promise<void> {
  await page.getByRole('radio', { name: 'Label sheets or rolls' }).check();
  await page.getByRole('combobox', { name: /^Labels: / }).click();
  await page.getByRole('combobox', { name: 'Brand, number, shape, or size' }).fill(number);
  await page.getByRole('option', { name }).click();
}

/** Opens the measures with labels that are saved. */
async function showSavedLabels(page: Page): Promise<void> {
  const place = { columns: 4, rows: 10, left: 0, top: 0, gapX: 0, gapY: 0 };
  const measures = { page: 'a4', shape: 'rectangle', width: 52.5, height: 29.7, ...place };
  const ofRoll = { ...measures, page: 'label', columns: 1, rows: 1 };
  const saved = [
    { id: 'jars', name: 'Jars in the cellar', ...measures },
    { id: 'boxes', name: 'Boxes', ...measures, width: 99, height: 57, columns: 2, rows: 5 },
    { id: 'lids', name: 'Lids', ...ofRoll, shape: 'round', width: 40, height: 40 },
  ];
  await page.route('**/rest/v1/measured_labels?**', (route) => route.fulfill({ json: saved }));
  await openStickers(page);
  await page.getByRole('radio', { name: 'Labels of another size' }).check();
}

/** The screen for printing stickers in its states. */
export const STICKER_SCREENS: readonly Screen[] = [
  {
    name: 'stickers',
    as: 'owner',
    show: (page) => openStickers(page),
  },
  {
    name: 'stickers-labels',
    as: 'owner',
    async show(page) {
      await openStickers(page);
      await chooseLabels(page, '5160', 'Avery 5160');
      await page.getByRole('radio', { name: 'Label 5, row 2, column 2' }).check();
      await page.getByLabel('A line of your own (optional)').fill('Dana’s');
      await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
    },
  },
  {
    name: 'stickers-logo',
    as: 'owner',
    async show(page) {
      await openStickers(page);
      await page.locator('input[data-logo]').setInputFiles({
        name: 'logo.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><circle cx="20" cy="20" r="18" fill="#0b5d4d"/><path d="M12 20l6 6 11-13" fill="none" stroke="#fff" stroke-width="4"/><path d="M48 14h60M48 26h40" stroke="#1746a2" stroke-width="8"/></svg>',
        ),
      });
      await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
    },
  },
  {
    name: 'stickers-choosing-labels',
    as: 'owner',
    async show(page) {
      await openStickers(page);
      await page.getByRole('radio', { name: 'Label sheets or rolls' }).check();
      await page.getByRole('combobox', { name: /^Labels: / }).click();
      await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'stickers-measured',
    as: 'owner',
    async show(page) {
      await openStickers(page);
      await page.getByRole('radio', { name: 'Labels of another size' }).check();
      await page.getByLabel('Labels side by side', { exact: true }).fill('2');
      await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
    },
  },
  {
    name: 'stickers-measured-saved',
    as: 'owner',
    async show(page) {
      await showSavedLabels(page);
      await page.getByRole('radio', { name: 'Jars in the cellar' }).check();
      await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
    },
  },
  {
    name: 'stickers-measured-changed',
    as: 'owner',
    async show(page) {
      await showSavedLabels(page);
      await page.getByRole('radio', { name: 'Lids' }).check();
      await page.getByLabel('Diameter of a label').fill('38');
      await expect(page.getByRole('button', { name: 'Save changes to “Lids”' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
    },
  },
  {
    name: 'stickers-measured-renaming',
    as: 'owner',
    async show(page) {
      await showSavedLabels(page);
      await page.getByRole('button', { name: 'Rename or remove Jars in the cellar' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'stickers-one',
    as: 'owner',
    async show(page, { codes }) {
      await openStickers(page, `?item=${codes.keys}`);
      await page.getByRole('radio', { name: 'One sticker, no sheet' }).check();
      await expect(page.getByRole('button', { name: 'Download as SVG' })).toBeEnabled();
    },
  },
  {
    name: 'stickers-line-in-arabic',
    as: 'owner',
    async show(page, { codes }) {
      await openStickers(page, `?item=${codes.keys}`);
      await page.getByLabel('A line of your own (optional)').fill('مفاتيح سارة 12');
      await expect(page.locator('[role=img] path[transform]')).toHaveCount(1);
      await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
    },
  },
  {
    name: 'stickers-letters-failed',
    as: 'owner',
    async show(page) {
      await openStickers(page);
      await page.route('**/assets/typesetter-*', (route) => route.fulfill({ status: 200, contentType: 'text/html' }));
      await page.getByLabel('A line of your own (optional)').fill('Ключ');
      await expect(page.getByText('We couldn’t get the letters')).toBeVisible();
    },
  },
  {
    name: 'stickers-refused',
    as: 'owner',
    async show(page) {
      await openStickers(page);
      await page.getByLabel('A line of your own (optional)').fill('שלום 🙂');
      await expect(page.getByText('U+1F642')).toBeVisible();
      await page.getByLabel('Your own', { exact: true }).fill('#ffd27a');
      await expect(page.getByText('This color is too light')).toBeVisible();
    },
  },
  {
    name: 'stickers-unreadable',
    as: 'owner',
    async show(page) {
      // A detector that reads nothing.
      await page.addInitScript(() => {
        class Blind {
          static getSupportedFormats = async () => ['qr_code'];
          detect = async () => [];
        }
        Object.defineProperty(window, 'BarcodeDetector', { value: Blind });
      });
      await page.goto('/stickers');
      await expect(page.getByText('can’t be scanned like this')).toBeVisible();
    },
  },
  {
    name: 'stickers-alignment',
    as: 'owner',
    async show(page) {
      await openStickers(page);
      await page.getByText('Line up the print with the labels').click();
      await expect(page.getByRole('button', { name: 'Print the test page' })).toBeVisible();
    },
  },
  {
    name: 'stickers-blank',
    as: 'owner',
    async show(page) {
      const blank = ['a', 'b', 'c'].map((letter) => ({
        qr_id: `tgt-A-blank-sticker-${letter}`,
        made_at: '2026-11-23T10:00:00Z',
      }));
      await page.route('**/rpc/list_blank_codes', (route) => route.fulfill({ json: blank }));
      await page.goto('/stickers');
      await page.getByRole('radio', { name: 'Blank stickers' }).check();
      await page.getByRole('checkbox', { name: '3 unused, made' }).check();
      await expect(page.getByText('We scanned all 3 codes as a test')).toBeVisible();
    },
  },
  {
    name: 'stickers-blank-discarding',
    as: 'owner',
    async show(page) {
      const blank = [{ qr_id: 'tgt-A-blank-sticker-alone', made_at: '2026-11-23T10:00:00Z' }];
      await page.route('**/rpc/list_blank_codes', (route) => route.fulfill({ json: blank }));
      await page.goto('/stickers');
      await page.getByRole('radio', { name: 'Blank stickers' }).check();
      await page.getByRole('button', { name: 'Discard 1 unused, made' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'stickers-void',
    as: 'owner',
    async show(page, { codes }) {
      const further = [
        { qr_id: 'tgt-A-second-sticker', stands_for: codes.keys, void_reason: null },
        { qr_id: 'tgt-A-void-sticker', stands_for: codes.keys, void_reason: 'A box of these stickers was stolen.' },
      ];
      await page.route('**/rest/v1/qr_codes?**', (route) => route.fulfill({ json: further }));
      await page.goto('/stickers?item=tgt-A-void-sticker');
      await expect(page.getByRole('checkbox', { name: /\(3\w\w sticker\)/ })).toBeDisabled();
    },
  },
  {
    name: 'stickers-empty',
    as: 'newcomer',
    async show(page) {
      await page.goto('/stickers');
      await expect(page.getByRole('link', { name: 'Tag an item' })).toBeVisible();
    },
  },
];
