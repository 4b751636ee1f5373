import { expect, newTagCode, test } from './support/test.ts';

test('a phone number: Israel to begin with, a country that is searched for, 15 digits, kept in E.164', async ({
  page,
  outbox,
}) => {
  const code = newTagCode();
  await page.goto(`/auth/${code}`);
  const number = page.getByLabel('Phone number');
  await expect(page.getByPlaceholder('Enter phone number')).toBeVisible();

  await page.getByRole('combobox', { name: 'Country: Israel +972' }).click();
  const search = page.getByPlaceholder('Search for a country');
  await search.fill('atlantis');
  await expect(page.getByText('No country with that name')).toBeVisible();
  await page.keyboard.press('Enter');
  // Words that begin with the query come before names that contain it, and Enter selects the first.
  await search.fill('in');
  await expect(page.getByRole('option').first()).toHaveText('India+91');
  await expect(page.getByRole('option', { name: 'Argentina' })).toBeAttached();
  await search.fill('+49');
  await expect(page.getByRole('option')).toHaveText(['Germany+49']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Country: Germany +49' })).toBeVisible();

  // The choice is kept while the user looks at another form.
  await page.getByRole('link', { name: 'Already have an account?' }).click();
  await page.getByRole('link', { name: 'Create Account' }).click();
  await expect(page.getByRole('combobox', { name: 'Country: Germany +49' })).toBeVisible();

  await page.getByLabel('Full name').fill('Dana Levi');
  await page.getByLabel('Email').fill(`${code.slice(4).toLowerCase()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('three keys on a ribbon');
  await number.pressSequentially('1234567890123456');
  await expect(number).toHaveValue('123456789012345');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('That’s not a complete phone number for this country')).toBeVisible();

  const ending = String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0');
  await number.fill(`0151 2${ending}`);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Verify Your Account' })).toBeVisible();
  expect((await outbox()).map(({ recipient }) => recipient)).toContain(`+491512${ending}`);
});
