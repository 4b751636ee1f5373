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

test('a masked number keeps the order of its signs in a sentence from right to left', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await page.goto('/auth?mode=phone');
  await page.getByLabel('Phone number').fill('050 123 4567');
  await page.getByRole('button', { name: 'Send Code' }).click();
  const sentence = page.getByText('a 6-digit code is on its way');
  await expect(sentence).toContainText('•••••••••4567');
  const [dot, digit] = await sentence.evaluate((paragraph) => {
    document.documentElement.dir = 'rtl';
    const places: number[] = [];
    const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      // As in a language that is written so.
      const text = (node.textContent ?? '').replaceAll(/[a-z]+/gi, 'מילה');
      node.textContent = text;
      for (const sign of ['•', '4567']) {
        if (!text.includes(sign)) continue;
        const range = document.createRange();
        range.setStart(node, text.indexOf(sign));
        range.setEnd(node, text.indexOf(sign) + 1);
        places.push(range.getBoundingClientRect().left);
      }
    }
    return places;
  });
  expect(dot).toBeLessThan(digit ?? 0);
});
