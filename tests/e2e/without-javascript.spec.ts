import { expect, test } from './support/test.ts';

test('a password is never in the URL, even if the form is submitted without its script', async ({
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

test('pages that need no script are complete without one, including the 404 page', { tag: '@one-width' }, async ({
  browser,
  service,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: service.url });
  const page = await context.newPage();
  for (const [path, status, title] of [
    ['/', 200, /Never lose your belongings again/],
    ['/privacy', 200, /./],
    ['/terms', 200, /./],
    ['/faq', 200, /./],
    ['/not-found', 404, /^Page not found/],
    ['/no/such/page', 404, /^Page not found/],
  ] as const) {
    expect((await page.goto(path))?.status(), path).toBe(status);
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expect(page.getByText('JavaScript')).toBeHidden();
    // Nothing waits. The region for later notices is there, and empty.
    await expect(page.getByRole('status').filter({ hasText: /\S/ })).toHaveCount(0);
    await expect(page.getByRole('status').locator('svg')).toHaveCount(0);
    // A button would have no effect.
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page).toHaveURL('/');
  await context.close();
});
