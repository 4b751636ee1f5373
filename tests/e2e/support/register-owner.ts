import { expect, type Page } from '@playwright/test';
import { aPhone } from '#tests/support/factories/contact-details.ts';

/** Registers on the screen up to the code. */
export async function register(
  page: Page,
  path: string,
  email: string,
  password: string,
  phone = newPhone(),
): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Full name').fill('Dana Levi');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Phone number').fill(phone);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Verify Your Account' })).toBeVisible();
}

/** Registers and ends where a fresh owner ends: at the first item. */
export async function registerOwner(
  page: Page,
  code: string,
  email: string,
  password: string,
  phone = newPhone(),
): Promise<void> {
  await register(page, `/${code}`, email, password, phone);
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type('123456');
  await expect(page).toHaveURL(new RegExp(`/item/${code}`));
}

/** A mobile number that no other test has, as typed in Israel. */
export function newPhone(): string {
  return `0${aPhone().slice('+972'.length)}`;
}
