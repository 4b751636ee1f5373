import { expect, test } from './support/test.ts';

test('a password never lands in the address, not even where the form is sent without its script', async ({
  browser,
  service,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: service.url });
  const page = await context.newPage();
  for (const mode of ['login', 'register']) {
    await page.goto(`/auth?mode=${mode}`);
    await page.getByLabel('Email').fill('dana@example.com');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('correct horse battery');
    await password.press('Enter');
    await expect(page).toHaveURL(`${service.url}/auth?mode=${mode}`);
    await expect(page.locator('form')).toHaveAttribute('method', 'post');
  }
  await context.close();
});
