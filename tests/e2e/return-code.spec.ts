import { expect, test } from './support/test.ts';

// The browser logs a refused code with its status.
test.use({ refusals: [422] });

for (const javaScriptEnabled of [true, false]) {
  test(`a finder whose browser forgot everything is back with the return code, ${javaScriptEnabled ? 'with' : 'without'} a script`, async ({
    browser,
    contextOptions,
    page,
    newOwner,
    service,
  }) => {
    const { code } = await newOwner(page);
    const context = await browser.newContext({ ...contextOptions, baseURL: service.url, javaScriptEnabled });
    const finder = await context.newPage();
    await finder.goto(`/${code}`);
    await expect(finder.getByText('Your return code').first()).toBeHidden();
    await finder.getByLabel('Your message').fill('At the café');
    await finder.getByRole('button', { name: 'Send Message' }).click();
    const shownCode = finder.locator('[data-return-code]');
    await expect(shownCode).toHaveText(/^[0-9A-Z]{4} [0-9A-Z]{4}$/);
    const returnCode = await shownCode.innerText();

    // The owner has the same code, and replies into the void.
    await page.goto(`/item/${code}`);
    await expect(page.getByText('When you meet, ask for this code')).toBeVisible();
    await expect(page.getByText(returnCode)).toBeVisible();
    await page.getByLabel('Your reply to Finder 1').fill('Which one?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Finder 1' })).toContainText('Which one?');
    await expect(page.getByText('Sending...')).toBeHidden();

    await context.clearCookies();
    await finder.goto(`/${code}`);
    await expect(finder.getByText('At the café')).toHaveCount(0);
    await finder.getByRole('link', { name: 'I wrote before' }).click();
    const field = finder.getByLabel('Your return code');
    const open = finder.getByRole('button', { name: 'Open my conversation' });
    await field.fill('ZZZZ ZZZZ');
    await open.click();
    await expect(finder.getByText('We can’t find a conversation about this item')).toBeInViewport();
    await field.fill(returnCode.toLowerCase());
    await open.click();
    await expect(finder).toHaveURL(`/item/${code}#conversation`);
    await expect(finder.getByRole('log')).toContainText('Which one?');
    await expect(finder.getByRole('link', { name: 'I wrote before' })).toBeHidden();

    // The next scan needs no code.
    await finder.goto(`/${code}`);
    await expect(finder.getByRole('log')).toContainText('Which one?');
    await context.close();
  });
}

test('a private link opens the conversation in a second browser, and its key leaves the address bar', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, newOwner }) => {
  const { code } = await newOwner(page);
  const finder = await another();
  await finder.goto(`/item/${code}`);
  await finder.getByLabel('Your message').fill('At the café');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  // Here it is shared or copied, because the finder is where it leads.
  await finder.evaluate(() => {
    Object.assign(navigator, {
      share: ({ url }: ShareData) => Promise.resolve(Object.assign(window, { shared: url })),
    });
  });
  await finder.getByRole('link', { name: 'Private link to this conversation' }).click();
  const link = await finder.evaluate(() => Reflect.get(window, 'shared') as string);
  expect(link).toContain(`/item/${code}/back/`);

  const second = await another();
  await second.goto(link);
  await expect(second).toHaveURL(`/item/${code}#conversation`);
  await expect(second.getByRole('log')).toContainText('At the café');
  await second.getByLabel('Your message').fill('From my other phone');
  await second.getByRole('button', { name: 'Send Message' }).click();
  await expect(finder.getByRole('log')).toContainText('From my other phone');
});

test('a phone that two finders share shows the conversation of either', { tag: ['@one-width', '@rest'] }, async ({
  page,
  another,
  newOwner,
}) => {
  const { code } = await newOwner(page);
  const [first, second] = [await another(), await another()];
  for (const [finder, body] of [
    [first, 'From the first'],
    [second, 'From the second'],
  ] as const) {
    await finder.goto(`/item/${code}`);
    await finder.getByLabel('Your message').fill(body);
    await finder.getByRole('button', { name: 'Send Message' }).click();
    await expect(finder.getByRole('log')).toContainText(body);
  }
  await expect(first.getByRole('button', { name: 'Show another conversation' })).toBeHidden();
  await first.goto((await second.locator('[data-return-link]').getAttribute('href')) ?? 'missing');
  await expect(first.getByRole('log')).toContainText('From the second');
  await first.getByRole('button', { name: 'Show another conversation' }).click();
  await expect(first.getByRole('log')).toContainText('From the first');
  await expect(first.getByRole('log')).not.toContainText('From the second');
});
