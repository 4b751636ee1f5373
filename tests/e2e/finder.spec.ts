import type { Page } from '@playwright/test';
import { openedAppLinks } from './support/app-links.ts';
import { openRow } from './support/open-row.ts';
import { signIn } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

const wayIn = (code: string) => `/item/${code}`;

/** Resolves when the service has saved a change of an item; the page also reads items. */
const savesItem = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'PATCH' && /\/items\?/.test(response.url()));

test('a finder of a lost item sees whose it is, the note, the contact methods, and no detail of the owner', async ({
  page,
  story,
}) => {
  await page.goto(wayIn(story.codes.backpack));
  await expect(page.getByRole('heading', { level: 1, name: 'School backpack' })).toBeVisible();
  await expect(page.getByText('It belongs to Dana.')).toBeVisible();
  await expect(page.getByText('Reported lost')).toBeVisible();
  await expect(page.getByText('A homemade cake')).toBeVisible();
  for (const name of ['WhatsApp', 'Call', 'Email', 'Share', 'Send Message']) {
    await expect(page.getByRole('button', { name })).toBeVisible();
  }
  for (const name of ['Log In', 'Privacy', 'Terms', 'FAQ']) {
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  }
  const html = await page.content();
  for (const secret of [/\bLevi\b/, story.email, '501234567']) expect(html).not.toMatch(secret);
});

test('a Hebrew name keeps its own direction, and the sentence around it keeps its own [K29]', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, session, code } = await newOwner();
  const renamed = await client.from('profiles').update({ full_name: 'דנה! לוי' }).eq('id', session.user.id);
  expect(renamed.error).toBeNull();
  await page.goto(wayIn(code));
  const heading = page.getByRole('heading', { level: 2, name: 'Contact דנה!' });
  await expect(heading).toBeVisible();
  for (const sentence of [heading, page.getByText('דנה! will see how you got in touch.')]) {
    const middles = await sentence.evaluate((element) => {
      const middleOf = (letter: string) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
          const at = text.textContent?.indexOf(letter) ?? -1;
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          const { left, right } = range.getBoundingClientRect();
          return (left + right) / 2;
        }
        return Number.NaN;
      };
      return { first: middleOf('ד'), mark: middleOf('!') };
    });
    expect(middles.mark, 'the mark ends the name, which is read from the right').toBeLessThan(middles.first);
  }
});

test('each contact method says that it opened', { tag: '@one-width' }, async ({ page, context, story }) => {
  // The response counts as immediate however slow the machine is; a late one would require another tap.
  await page.addInitScript(() => Object.defineProperty(performance, 'now', { value: () => 0 }));
  await page.goto(wayIn(story.codes.keys));
  await page.getByRole('button', { name: 'Call' }).click();
  await expect(page.getByText('Phone dialer opened')).toBeVisible();
  await page.getByRole('button', { name: 'Email' }).click();
  await expect(page.getByText('Email client opened')).toBeVisible();
  expect(await openedAppLinks(page)).toEqual([
    'tel:+972501234567',
    expect.stringMatching(/^mailto:dana@example\.com\?subject=Found%20your%20item/),
  ]);

  // A response without content leaves the page as it is.
  await context.route('https://wa.me/**', (route) => route.fulfill({ status: 204 }));
  const opened = page.waitForRequest(/^https:\/\/wa\.me\/972501234567\?text=/);
  await page.getByRole('button', { name: 'WhatsApp' }).click();
  await expect(page.getByText('WhatsApp opened')).toBeVisible();
  await opened;
});

test('the page says which contact methods are not open', async ({ page, another, service, story }) => {
  await page.goto(wayIn(story.codes.wallet));
  await expect(page.getByText('No contact methods are available for this owner.')).toBeVisible();

  // The owner closes one contact method of the keys; the next finder sees that contact is limited.
  const owner = await another();
  await signIn(owner.context(), service.url, story.session);
  await owner.goto(wayIn(story.codes.keys));
  await openRow(owner, 'How finders can reach you');
  await owner.getByRole('switch', { name: 'Call' }).click();
  await expect
    .poll(async () => {
      await page.goto(wayIn(story.codes.keys));
      return page.getByText('Limited contact info available').count();
    })
    .toBe(1);
  await expect(page.getByRole('button', { name: 'Call' })).toBeHidden();
  await owner.getByRole('switch', { name: 'Call' }).click();
  await expect
    .poll(async () => {
      await page.goto(wayIn(story.codes.keys));
      return page.getByRole('button', { name: 'Call' }).count();
    })
    .toBe(1);
});

test.describe('a contact method that is closed while the page is open', { tag: '@one-width' }, () => {
  test.use({ refusals: [409] });

  test('is named', async ({ page, another, service, story }) => {
    await page.goto(wayIn(story.codes.keys));
    const owner = await another();
    await signIn(owner.context(), service.url, story.session);
    await owner.goto(wayIn(story.codes.keys));
    await openRow(owner, 'How finders can reach you');
    for (const [way, text] of [
      ['Email', 'Email not available for this owner'],
      ['Call', 'Phone number not available for this owner'],
    ] as const) {
      const toggle = owner.getByRole('switch', { name: way });
      const saved = savesItem(owner);
      await toggle.click();
      await saved;
      await page.getByRole('button', { name: way }).click();
      await expect(page.getByText(text)).toBeVisible();
      await expect(toggle).not.toBeChecked();
      const opened = savesItem(owner);
      await toggle.click();
      await opened;
    }
  });
});

test.describe('a connection that breaks', { tag: '@one-width' }, () => {
  test.use({ refusals: [502] });

  test('is reported when a contact method is chosen, and the method opens on the next try', async ({ page, story }) => {
    await page.addInitScript(() => Object.defineProperty(performance, 'now', { value: () => 0 }));
    await page.goto(wayIn(story.codes.keys));
    await page.route('**/contact', (route) => route.fulfill({ status: 502, body: '' }));
    await page.getByRole('button', { name: 'Call' }).click();
    await expect(page.getByText('Failed to fetch owner: the service didn’t respond')).toBeVisible();
    await page.unroute('**/contact');
    await page.getByRole('button', { name: 'Call' }).click();
    await expect(page.getByText('Phone dialer opened')).toBeVisible();
  });

  test('does not lose a message that is being sent, not even with a reload', async ({ page, story }) => {
    await page.goto(wayIn(story.codes.keys));
    let isCut = true;
    await page.route('**/message', async (route) => {
      if (!isCut) return route.continue();
      // The request arrives each time, but its response never does.
      await route.fetch();
      return route.fulfill({ status: 502, body: '' });
    });
    await page.getByLabel('Your message').fill('Through thick and thin');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByText('We’re trying again...')).toBeVisible();
    await page.reload();
    isCut = false;
    await expect(page.getByRole('log').getByText('Through thick and thin')).toHaveCount(1);
    await expect(page.getByLabel('Your message')).toHaveValue('');
    await page.reload();
    await expect(page.getByRole('log').getByText('Through thick and thin')).toHaveCount(1);
  });
});

test.describe('a signed-in user', () => {
  test.use({ refusals: [500] });

  test('sees the same page for another owner’s item, writes, and is notified when its owner cannot be loaded', {
    tag: '@rest',
  }, async ({ page, service, story }) => {
    await signIn(page.context(), service.url, story.newcomer);
    await page.route('**/rpc/find_item', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
    await page.goto(wayIn(story.codes.keys));
    await expect(page.getByText('Error retrieving item owner details')).toBeVisible();
    await expect(page.getByText('Failed to fetch owner: the service didn’t respond')).toBeVisible();
    await page.unroute('**/rpc/find_item');
    await expect(page.getByRole('heading', { level: 1, name: 'House keys' })).toBeVisible();
    await page.getByLabel('Your message').fill('From an account of mine');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('log')).toContainText('From an account of mine');
    await page.reload();
    await expect(page.getByRole('log')).toContainText('From an account of mine');
  });
});
