import { expect, test } from './support/test.ts';

test('an owner whose name is an address is asked for a name, which finders then read', async ({ page, newOwner }) => {
  const { client, code, session } = await newOwner(page);
  await client.from('profiles').update({ full_name: 'dana@example.org' }).eq('id', session.user.id).throwOnError();
  await page.goto('/dashboard');
  await expect(page.getByText('Finders see “Item Owner” instead of your name.')).toBeVisible();
  await expect(page.getByText('Hello,')).toHaveCount(0);
  await page.getByRole('link', { name: 'Add your name' }).click();
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  const name = page.getByLabel('Full name');
  await name.fill('+972 50 123 4567');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter your name, not an email address or phone number')).toBeVisible();
  await name.fill('Dana\u00a0Levi');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile updated!')).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByText('Hello, Dana', { exact: true })).toBeVisible();
  const { data } = await client.rpc('find_item', { qr_id_param: code });
  expect(data).toMatchObject({ owner_first_name: 'Dana' });
});
