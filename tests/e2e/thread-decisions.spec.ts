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
  await page.getByRole('button', { name: 'Done' }).click();
  // The screen shows it; a screen reader is told, and no notice repeats it.
  await expect(page.getByText('You have it back', { exact: true })).toBeVisible();
  await expect(page.getByRole('status').getByText('We’ve thanked Finder 1.')).toBeAttached();
  await expect(page.getByRole('region', { name: 'Notifications' })).toBeEmpty();
  await finder.goto(`/item/${code}`);
  await expect(finder.getByText('Dana has it back.')).toBeVisible();

  await page.getByRole('button', { name: 'Reopen' }).click();
  await expect(page.getByRole('button', { name: 'I have it back from Finder 1' })).toBeVisible();
  await page.getByRole('button', { name: 'I have it back from Finder 1' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('You have it back', { exact: true })).toBeVisible();
  await finder.getByLabel('Your message').fill('There was a glove, too');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  await expect(finder.getByText('Dana has it back.')).toBeHidden();
  await expect(page.getByRole('list', { name: 'Finder 1' })).toContainText('There was a glove, too');
  await expect(page.getByRole('button', { name: 'I have it back from Finder 1' })).toBeVisible();
  await context.close();
});

test.describe('an owner who reports', () => {
  // What the page loads when idle may still be under way.
  test.use({ refusals: ['no connection'] });

  test('an owner reports a finder, who reads nothing of it', { tag: ['@one-width', '@rest'] }, async ({
    page,
    another,
    newOwner,
  }) => {
    const { code } = await newOwner(page);
    const finder = await another();
    await finder.goto(`/item/${code}`);
    await finder.getByLabel('Your message').fill('Give me money');
    await finder.getByRole('button', { name: 'Send Message' }).click();
    await expect(finder.getByText('Give me money')).toBeVisible();
    await page.goto(`/item/${code}`);
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Report Finder 1?' });
    await dialog.getByRole('button', { name: 'Send report' }).click();
    const choices = dialog.getByRole('radiogroup', { name: 'What’s wrong?' });
    await expect(choices).toHaveAccessibleDescription('Choose what’s wrong.');
    await expect(choices).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog.getByLabel('They threaten or harass me')).toBeFocused();

    await dialog.getByLabel('They want money').check();
    await dialog.getByLabel('Details (optional)').fill('They ask for my PIN.');
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await expect(dialog.getByText('You’re offline.')).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByText('Thank you. The people who run Reunite will look at your report.')).toBeVisible();
    await expect(dialog).toBeHidden();
    await finder.reload();
    await expect(finder.getByText('Give me money')).toBeVisible();
    await expect(finder.getByText(/report(ed)? you/i)).toBeHidden();
  });
});

test.describe('a finder who bothers', () => {
  test.use({ refusals: [403] });

  test('is muted and then blocked, reads so, and can be unblocked', { tag: ['@one-width', '@rest'] }, async ({
    page,
    another,
    newOwner,
  }) => {
    const { code } = await newOwner(page);
    const finder = await another();
    await finder.goto(`/item/${code}`);
    const write = async (body: string) => {
      await finder.getByLabel('Your message').fill(body);
      await finder.getByRole('button', { name: 'Send Message' }).click();
    };
    await write('Give me money');
    await page.goto(`/item/${code}`);
    await page.getByRole('button', { name: 'Mute' }).click();
    await expect(page.getByRole('button', { name: 'Unmute' })).toBeVisible();

    await page.getByRole('button', { name: 'Block' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block Finder 1?' });
    await expect(dialog).toContainText('they can start again in another browser');
    await dialog.getByRole('button', { name: 'Block' }).click();
    await expect(page.getByRole('button', { name: 'Unblock' })).toBeVisible();
    await write('Now');
    await expect(finder.getByText('This owner isn’t accepting more messages from you.')).toBeVisible();

    await page.getByRole('button', { name: 'Unblock' }).click();
    await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeVisible();
    await finder.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('list', { name: 'Finder 1' })).toContainText('Now');
  });
});
