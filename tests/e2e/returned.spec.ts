import { expect, test } from './support/test.ts';

test('an owner who has the item back thanks the finder, and a further message opens the conversation again', async ({
  browser,
  contextOptions,
  page,
  newOwner,
  service,
}) => {
  const { code } = await newOwner(page);
  const context = await browser.newContext({ ...contextOptions, baseURL: service.url, javaScriptEnabled: false });
  const finder = await context.newPage();
  await finder.goto(`/${code}`);
  await finder.getByLabel('Your message').fill('At the café');
  await finder.getByRole('button', { name: 'Send Message' }).click();

  await page.goto(`/item/${code}`);
  await page.getByRole('button', { name: 'I have it back from Finder 1' }).click();
  await expect(page.getByText('We’ve thanked the finder')).toBeVisible();
  await expect(page.getByText('You have it back', { exact: true })).toBeVisible();
  await finder.goto(`/item/${code}`);
  await expect(finder.getByText('Dana has it back.')).toBeVisible();

  await page.getByRole('button', { name: 'Not yet? Open again' }).click();
  await expect(page.getByRole('button', { name: 'I have it back from Finder 1' })).toBeVisible();
  await page.getByRole('button', { name: 'I have it back from Finder 1' }).click();
  await expect(page.getByText('You have it back', { exact: true })).toBeVisible();
  await finder.getByLabel('Your message').fill('There was a glove, too');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  await expect(finder.getByText('Dana has it back.')).toBeHidden();
  await expect(page.getByRole('list', { name: 'Finder 1' })).toContainText('There was a glove, too');
  await expect(page.getByRole('button', { name: 'I have it back from Finder 1' })).toBeVisible();
  await context.close();
});
