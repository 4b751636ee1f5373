import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';
import { newPhone, register } from './support/register-owner.ts';

let folder: string;
let service: ServiceProcess;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reunite-by-email-'));
  service = await startServiceProcess({ dataDirectory: folder, environment: { SMS_COUNTRIES: 'GB' } });
});
test.afterAll(async () => {
  await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

test('when no SMS may go to the number, the page says that the code went by email', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  const email = 'by-email@example.com';
  await register(page, `${service.url}/auth?mode=register`, email, 'correct horse', newPhone());
  await expect(page.getByText(`Enter the 6-digit code we sent to ${email}.`)).toBeVisible();
  await expect(page.getByText('Please verify your email address to complete registration')).toBeVisible();
  await expect(page.getByText('Please verify your phone number')).toBeHidden();
  await page.reload();
  await expect(page.getByText(`Enter the 6-digit code we sent to ${email}.`)).toBeVisible();

  await expect(page.getByText('In production, this would be sent via SMS')).toBeHidden();

  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await page.goto(`${service.url}/auth?mode=phone`);
  await page.getByLabel('Phone number').fill(newPhone());
  await page.getByRole('button', { name: 'Send Code' }).click();
  await expect(page.getByRole('alert')).toContainText('its country or type isn’t supported');
});
