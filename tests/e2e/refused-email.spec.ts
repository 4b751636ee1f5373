import { expect, test } from './support/test.ts';

test('an owner whose mailbox is gone reads on the dashboard that emails do not reach them [K78]', async ({
  page,
  newOwner,
}) => {
  const { email } = await newOwner(page);
  // Only a mail server's refusal sets it, and tests/jobs/refused-address.test.ts has one.
  await page.route(
    ({ pathname }) => pathname === '/rest/v1/profiles',
    async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({
        response,
        body: text.replace(/"refusedAt"\s*:\s*null/, '"refusedAt": "2026-11-20T10:00:00Z"'),
      });
    },
  );
  await page.goto('/dashboard');
  await expect(page.getByText(`Our emails don’t reach ${email}.`)).toBeVisible();
  await page.getByRole('link', { name: 'Change your email' }).click();
  await expect(page).toHaveURL(/\/profile$/);
});
