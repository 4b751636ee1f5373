import { expect, type Page } from '@playwright/test';
import { photographSticker } from './draw-sticker.ts';
import type { Screen } from './screens.ts';
import { standInCamera } from './stand-in-camera.ts';

async function openScanner(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'I found something' }).click();
  await expect(page.getByRole('dialog', { name: 'Scan a QR code' })).toBeVisible();
}

async function choosePicture(page: Page, text: string): Promise<void> {
  const file = await photographSticker(text);
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
}

/** The scanner's overlay in its states. */
export const SCANNER_SCREENS: readonly Screen[] = [
  {
    name: 'scanner',
    as: 'nobody',
    async show(page) {
      await standInCamera(page, { cameras: 2, hasTorch: true });
      await openScanner(page);
      await expect(page.getByRole('status').getByText('Scanning...')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Turn on the light' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Use the other camera' })).toBeVisible();
    },
  },
  {
    name: 'scanner-denied',
    as: 'nobody',
    async show(page) {
      await standInCamera(page, { refusal: 'NotAllowedError' });
      await openScanner(page);
      await expect(page.getByRole('alert')).toContainText('Camera access denied');
    },
  },
  {
    name: 'scanner-without-camera',
    as: 'newcomer',
    async show(page) {
      await standInCamera(page, { refusal: 'NotFoundError' });
      await page.goto('/dashboard');
      await page.getByRole('button', { name: 'Scan QR to Tag New Item', exact: true }).click();
      await expect(page.getByRole('alert')).toContainText('No camera found');
      await expect(page.getByRole('button', { name: 'Simulate a scan' })).toBeVisible();
    },
  },
  {
    name: 'scanner-picture-failed',
    as: 'nobody',
    async show(page) {
      await standInCamera(page, { refusal: 'NotReadableError' });
      await openScanner(page);
      const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
      await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
      await expect(page.getByText('We couldn’t open this picture.')).toBeVisible();
      await expect(page.getByRole('alert').filter({ hasText: 'The camera is in use' })).toBeVisible();
    },
  },
  {
    name: 'scanner-typing',
    as: 'nobody',
    async show(page) {
      await openScanner(page);
      await page.getByRole('button', { name: 'Enter the code' }).click();
      await page.getByLabel('Code on the sticker').fill('no.code.at.all');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByText('That’s not one of our codes. They have four groups')).toBeVisible();
    },
  },
  {
    name: 'scanner-not-ours',
    as: 'nobody',
    async show(page) {
      await openScanner(page);
      await choosePicture(page, 'WIFI:S:home;T:WPA;P:secret;;');
      await expect(page.getByText('That’s not one of our codes. Is there another')).toBeVisible();
    },
  },
  {
    name: 'scanner-other-site',
    as: 'nobody',
    async show(page) {
      await openScanner(page);
      await choosePicture(page, 'https://evil.example/tgt-A-story-of-nothing-yet');
      await expect(page.getByRole('alert').filter({ hasText: 'It opens evil.example' })).toBeVisible();
    },
  },
  {
    name: 'scanner-cannot-tell',
    as: 'nobody',
    refusals: [500],
    async show(page) {
      await page.route('**/rpc/get_qr_code_owner', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
      await openScanner(page);
      await choosePicture(page, 'tgt-A-story-of-nothing-yet');
      await expect(page.getByRole('alert').filter({ hasText: 'Error checking QR code status' })).toBeVisible();
    },
  },
];
