import type { Locator, Page, Response } from '@playwright/test';
import { countSubscriptions } from './support/count-subscriptions.ts';
import { signIn } from './support/sign-in.ts';
import { skipFirstVisit } from './support/skip-first-visit.ts';
import { expect, test } from './support/test.ts';

// The browser logs an intentionally broken connection with a status.
test.use({ refusals: [502] });

const finderPage = (code: string) => `/item/${code}`;

/** Counts additions to a list from now on, as announced by a screen reader. */
async function noteAdditions(list: Locator): Promise<void> {
  await list.evaluate((element) => {
    Object.assign(window, { additions: 0 });
    new MutationObserver((records) => {
      const added = records.reduce((sum, { addedNodes }) => sum + addedNodes.length, 0);
      Object.assign(window, { additions: Reflect.get(window, 'additions') + added });
    }).observe(element, { childList: true });
  });
}

const topOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().top);
const bottomOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().bottom);

const additions = (page: Page): Promise<number> => page.evaluate(() => Reflect.get(window, 'additions'));

test('finder and owner see both sides live, also after a reload, and each message once', async ({
  page,
  another,
  newOwner,
}) => {
  const { code } = await newOwner(page);
  const finder = await another();
  await finder.goto(finderPage(code));
  await expect(finder.getByText('Your conversation with Dana')).toBeHidden();
  await finder.getByLabel('Your message').fill('I have your backpack. https://example.com/x');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  const finderLog = finder.getByRole('log', { name: 'Your conversation with Dana' });
  await expect(finderLog).toContainText('I have your backpack.');

  // The dashboard counts it for the item and in all.
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: /My Tagged Item/ })).toContainText('1 new message');
  await page.getByRole('link', { name: /My Tagged Item/ }).click();
  const thread = page.getByRole('list', { name: 'Finder 1' });
  await expect(thread.getByRole('listitem')).toHaveCount(1);
  await expect(thread).toContainText('I have your backpack.');
  // In view at once, also on a phone, because the messages are the reason for the visit.
  await expect(thread.getByRole('listitem').first()).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'https://example.com/x' })).toHaveCount(0);

  // The finder is typing when the reply arrives, and the conversation is out of view.
  const message = finder.getByLabel('Your message');
  await message.fill('Half a thought');
  const viewport = finder.viewportSize();
  if (viewport === null) throw new Error('The browser has no size.');
  await finder.setViewportSize({ width: viewport.width, height: 280 });
  await finder.evaluate(() => scrollTo(0, 0));
  const title = finder.getByRole('heading', { level: 1 });
  const placeBefore = await topOf(title);

  const reply = page.getByLabel('Your reply to Finder 1');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await expect(send).toBeDisabled();
  await reply.fill('  \u200b ');
  await expect(send).toBeDisabled();
  await reply.fill('  Thank you! Where are you?\n');
  await noteAdditions(thread);
  await reply.press('Tab');
  await expect(send).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(thread.getByRole('listitem').last()).toContainText('Thank you! Where are you?');
  await expect(thread.getByText('Sending...')).toBeHidden();
  await expect(reply).toHaveValue('');
  // The button is disabled without text, so a keyboard user stays in the field. A sent reply is announced once.
  await expect(reply).toBeFocused();
  expect(await additions(page)).toBe(1);

  // The finder's page has it without a reload, and after one.
  await expect(finderLog.getByRole('listitem').last()).toContainText('Thank you! Where are you?');
  // Nothing moves; a link leads to the reply and disappears once the reply was in view.
  const toReply = finder.getByRole('link', { name: 'Dana replied' });
  await expect(toReply).toBeVisible();
  expect(await topOf(title)).toBe(placeBefore);
  await toReply.click();
  await expect(finderLog.getByRole('listitem').last()).toBeInViewport({ ratio: 1 });
  await expect(toReply).toBeHidden();
  await expect(message).toHaveValue('Half a thought');
  await finder.setViewportSize(viewport);

  // A returning finder sees the reply at once, with the form below it.
  await finder.goto(finderPage(code));
  await expect(finderLog.getByRole('listitem')).toHaveCount(2);
  await expect(finderLog.getByRole('listitem').last()).toBeInViewport({ ratio: 1 });
  await expect(message).toBeInViewport({ ratio: 1 });
  expect(await bottomOf(finderLog)).toBeLessThan(await topOf(message));
  await message.fill('At the station');
  await message.press('Tab');
  await expect(finder.getByLabel('Add a photo')).toBeFocused();
  await finder.keyboard.press('Tab');
  await finder.keyboard.press('Enter');
  await expect(finderLog.getByRole('listitem')).toHaveCount(3);
  await expect(message).toHaveValue('');
  await expect(message).toBeFocused();

  // In the same conversation, without a reload here.
  await expect(thread.getByRole('listitem').last()).toContainText('At the station');
  expect(await bottomOf(thread)).toBeLessThan(await topOf(reply));
  await expect(page.getByRole('button', { name: /^Finder \d/ })).toHaveCount(1);

  // New messages appear above the form, which stays in place.
  const placeOfForm = await topOf(message);
  await reply.fill('On my way');
  await send.click();
  await expect(finderLog.getByRole('listitem')).toHaveCount(4);
  expect(await topOf(message)).toBeCloseTo(placeOfForm, 0);
  // Another visitor does not see it.
  const stranger = await another();
  await stranger.goto(finderPage(code));
  await expect(stranger.getByRole('heading', { name: 'You found something of Dana’s' })).toBeVisible();
  expect(await stranger.content()).not.toContain('At the station');
});

test('a finder with the page open sees a reply within 15 s, and at once after returning to it', {
  tag: '@one-width',
}, async ({ page, story }) => {
  await page.clock.install();
  await page.goto(finderPage(story.codes.backpack));
  let [begun, asked] = [0, 0];
  page.on('request', (question) => {
    if (question.url().endsWith('/conversation')) begun += 1;
  });
  page.on('response', (reply) => {
    if (reply.url().endsWith('/conversation')) asked += 1;
  });
  await page.getByLabel('Your message').fill('I wait here.');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('log')).toContainText('I wait here.');
  // From now on the page's clock only moves when the test advances it.
  await expect(() => page.clock.pauseAt(Date.now() + 1_000)).toPass();
  /** Returns the seconds of the page's clock until the next poll. */
  const secondsUntilAsked = async () => {
    const before = asked;
    let seconds = 0;
    await expect
      .poll(
        async () => {
          if (begun === before) {
            seconds += 1;
            await page.clock.runFor(1_000);
          }
          return asked;
        },
        { intervals: [20] },
      )
      .toBeGreaterThan(before);
    return seconds;
  };
  const waits: number[] = [];
  for (let time = 0; time < 10; time += 1) waits.push(await secondsUntilAsked());
  // A question that is on its way may let a second more go by.
  expect(Math.max(...waits)).toBeLessThanOrEqual(17);
  // Rarely, in the end.
  expect(waits.at(-1)).toBeGreaterThan(10);

  for (const event of ['focus', 'online']) {
    const before = asked;
    const comeBack = () => page.evaluate((name) => void dispatchEvent(new Event(name)), event);
    await expect.poll(() => comeBack().then(() => asked), event).toBeGreaterThan(before);
  }
});

test('a second finder starts a second conversation, which opens by itself, and seen messages are not counted', {
  tag: '@one-width',
}, async ({ page, another, newOwner }) => {
  const { code } = await newOwner(page);
  const first = await another();
  await first.goto(finderPage(code));
  await first.getByLabel('Your message').fill('They’re safe behind the counter.');
  await first.getByRole('button', { name: 'Send Message' }).click();
  await expect(first.getByRole('log')).toContainText('They’re safe behind the counter.');
  const subscriptions = countSubscriptions(page);
  await page.goto(finderPage(code));
  await expect(page.getByRole('list', { name: 'Finder 1' })).toContainText('They’re safe behind the counter.');
  await expect.poll(subscriptions).toBe(1);
  const isMarking = (reply: Response) => reply.request().method() === 'PATCH' && reply.url().includes('/messages');
  const atFirst = page.waitForResponse(isMarking);
  await page.mouse.move(100, 100);
  await page.mouse.move(120, 110);
  await atFirst;
  const firstMarked = page.waitForResponse(isMarking);
  const second = await another();
  await second.goto(finderPage(code));
  await second.getByLabel('Your message').fill('I saw them, too');
  await second.getByRole('button', { name: 'Send Message' }).click();

  const newer = page.getByRole('button', { name: /^Finder 2/ });
  await expect(newer).toContainText('1 new');
  await expect(page.getByRole('button', { name: /^Finder \d/ }).first()).toHaveAccessibleName(/Finder 2/);
  await expect(newer).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('list', { name: 'Finder 2' })).toContainText('I saw them, too');
  await page.mouse.move(100, 100);
  await page.mouse.move(120, 110);
  // The next message arrives while the first is being marked: the count is again one, for a different message.
  await firstMarked;
  const secondMarked = page.waitForResponse(isMarking);
  await second.getByLabel('Your message').fill('Near the door');
  await second.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('list', { name: 'Finder 2' })).toContainText('Near the door');
  await page.mouse.move(100, 100);
  await secondMarked;
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
  await expect(page.getByRole('link', { name: /My Tagged Item/ })).not.toContainText('new message');
});

test('a message counts as seen once it was in view on a visible page, and is unread until then', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  const finderKey = `${code}-finder`;
  const write = (body: string, key = finderKey) =>
    client.rpc('send_message', { qr_id_param: code, body_param: body, finder_key_param: key }).throwOnError();
  const unread = async () => {
    const { data } = await client.from('messages').select('body').is('read_at', null).throwOnError();
    return data.map(({ body }) => body);
  };
  const marks: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && request.url().includes('/messages')) marks.push(request.url());
  });
  await write('I have it');
  const subscriptions = countSubscriptions(page);
  await page.goto(finderPage(code));
  const thread = page.getByRole('list', { name: 'Finder 1' });
  await expect(thread).toContainText('I have it');
  // In view, but a page that a browser opened by itself looks the same. The first sign of a person counts.
  await page.mouse.move(100, 100);
  await page.mouse.move(110, 120);
  await expect.poll(unread).toEqual([]);
  await expect.poll(subscriptions).toBe(1);
  await expect(async () => expect(marks.length).toBeGreaterThan(0)).toPass();

  // The focus stays in the field, and the owner is at the end of the page.
  const reply = page.getByLabel('Your reply to Finder 1');
  await reply.focus();
  await page.getByRole('button', { name: 'Delete item' }).evaluate((end) => end.scrollIntoView({ block: 'end' }));
  await expect(thread).not.toBeInViewport();
  const marksBefore = marks.length;
  await write('Where are you?');
  await expect(thread).toContainText('Where are you?');
  await write('I have to leave at six');
  await expect(thread).toContainText('I have to leave at six');
  // The window comes back to the front, which moves the focus into the field again.
  await reply.evaluate((field) => void field.dispatchEvent(new FocusEvent('focusin', { bubbles: true })));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(await unread()).toHaveLength(2);
  expect(marks).toHaveLength(marksBefore);
  // On the dashboard they are unread.
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(page.getByRole('link', { name: /My Tagged Item/ })).toContainText('2 new messages');

  // In view, but the page is hidden.
  await page.evaluate(() =>
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
  );
  await page.getByRole('link', { name: /My Tagged Item/ }).click();
  await expect(thread.getByText('I have to leave at six')).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  expect(marks).toHaveLength(marksBefore);
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'visibilityState');
    document.dispatchEvent(new Event('visibilitychange'));
  });
  // A person has opened it by its link.
  await expect.poll(unread).toEqual([]);

  // The focus comes into the conversation by the keyboard, and its newest message is far above its end.
  await page.setViewportSize({ width: 390, height: 300 });
  await page.getByRole('button', { name: 'Delete conversation' }).evaluate((end) => {
    end.scrollIntoView({ block: 'start' });
    end.focus({ preventScroll: true });
  });
  await write('Are you coming?');
  await expect(thread).toContainText('Are you coming?');
  await expect(thread).not.toBeInViewport();
  expect(await unread()).toEqual(['Are you coming?']);
  await page.keyboard.press('Shift+Tab');
  await expect.poll(unread).toEqual([]);
});

test('a message is seen by a person in a window with the focus, never by a window alone [K59]', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  const write = (body: string, finder: number) => {
    const key = `${code}-finder-${finder}`;
    return client.rpc('send_message', { qr_id_param: code, body_param: body, finder_key_param: key }).throwOnError();
  };
  const unread = async () => {
    const { data } = await client.from('messages').select('body').is('read_at', null).throwOnError();
    return data.map(({ body }) => body).toSorted();
  };
  const marks: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && request.url().includes('/messages')) marks.push(request.url());
  });
  const settle = () =>
    page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  const subscriptions = countSubscriptions(page);
  await write('I have it', 2);
  await page.goto(finderPage(code));
  await expect.poll(subscriptions).toBe(1);
  await page.mouse.move(100, 100);
  await page.mouse.move(120, 110);
  await expect.poll(unread).toEqual([]);
  marks.length = 0;

  // A new conversation, and one that goes on: both are in view, and whoever was here may have left.
  for (const body of ['It is by the lake', 'I have to leave at six']) {
    await write(body, 1);
    await expect(page.getByText(body)).toBeInViewport({ ratio: 1 });
    await settle();
  }
  // The app and the browser scroll too.
  await page.evaluate(() => scrollBy(0, 40));
  await settle();
  expect(marks).toEqual([]);

  // A hand that passes over a window behind another one.
  await page.evaluate(() => {
    document.hasFocus = () => false;
  });
  await page.mouse.move(140, 130);
  await settle();
  expect(marks).toEqual([]);
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'hasFocus');
    window.dispatchEvent(new Event('focus'));
  });
  await settle();
  expect(marks).toEqual([]);
  expect(await unread()).toHaveLength(2);
  await page.mouse.wheel(0, 10);
  await expect.poll(unread).toEqual([]);

  // A browser that starts again opens the conversation of its last visit.
  await page.goto('/dashboard');
  await write('Are you coming?', 1);
  await page.goto(`${finderPage(code)}#messages`);
  await expect.poll(unread).toEqual([]);
  await page.reload();
  await write('Hello?', 1);
  await expect(page.getByText('Hello?')).toBeInViewport({ ratio: 1 });
  await page.reload();
  await expect(page.getByText('Hello?')).toBeInViewport({ ratio: 1 });
  await settle();
  expect(await unread()).toEqual(['Hello?']);
  // What the service worker posts to the page whose notification was opened.
  await page.evaluate(() =>
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: 'notification-opened' })),
  );
  await expect.poll(unread).toEqual([]);
});

test('while the owner writes to one finder, the message of another moves nothing, and a notice leads to it', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  const write = (body: string, finder: number) => {
    const key = `${code}-finder-${finder}`;
    return client.rpc('send_message', { qr_id_param: code, body_param: body, finder_key_param: key }).throwOnError();
  };
  const heads = () => page.getByRole('button', { name: /^Finder \d/ }).allTextContents();
  const namesInOrder = async () => (await heads()).map((text) => text.slice(0, 'Finder 1'.length));
  await write('I have it', 1);
  const subscriptions = countSubscriptions(page);
  await page.goto(finderPage(code));
  await expect.poll(subscriptions).toBe(1);
  const reply = page.getByLabel('Your reply to Finder 1');
  await reply.click();
  await reply.pressSequentially('Thank you! W');
  const place = await topOf(reply);

  await write('I have the umbrella, too', 2);
  await expect(page.getByRole('button', { name: /^Finder 2/ })).toContainText('1 new');
  await page.keyboard.type('here are you?');
  await expect(reply).toBeFocused();
  await expect(reply).toHaveValue('Thank you! Where are you?');
  expect(await topOf(reply)).toBeCloseTo(place, 0);
  expect(await namesInOrder()).toEqual(['Finder 1', 'Finder 2']);
  await expect(page.getByText('New message about My Tagged Item')).toBeVisible();

  // What is above the field grows: the field stays where it is.
  for (const body of ['It is by the lake', 'Are you coming?']) {
    await write(body, 1);
    await expect(page.getByRole('list', { name: 'Finder 1' })).toContainText(body);
    await expect.poll(() => topOf(reply).then((top) => Math.abs(top - place))).toBeLessThan(1);
  }
  await page.getByRole('link', { name: 'Read', exact: true }).first().press('Enter');
  await expect(page.getByRole('button', { name: /^Finder \d/ }).and(page.locator(':focus'))).toBeInViewport();

  // A draft holds the order as well; the next visit has the latest first.
  await reply.fill('');
  await write('Hello?', 2);
  await expect(page.getByRole('list', { name: 'Finder 2' })).toContainText('Hello?');
  expect(await namesInOrder()).toEqual(['Finder 1', 'Finder 2']);
  await page.reload();
  await expect.poll(namesInOrder).toEqual(['Finder 2', 'Finder 1']);
});

test('a closed conversation says what its newest message says, in one line', { tag: '@one-width' }, async ({
  page,
  newOwner,
}) => {
  const { client, code } = await newOwner(page);
  const write = (finder: number, message: object) => {
    const key = `${code}-finder-${finder}`;
    return client.rpc('send_message', { qr_id_param: code, finder_key_param: key, ...message }).throwOnError();
  };
  await write(1, { body_param: `${'A sentence that is too long for a phone. '.repeat(3)}\nAnd more` });
  await write(2, { body_param: '', kind_param: 'have_it' });
  await write(3, { body_param: 'Is it yours?' });
  await page.goto(finderPage(code));
  const head = (finder: number) => page.getByRole('button', { name: new RegExp(`^Finder ${finder}`) });
  await expect(head(3)).not.toContainText('Is it yours?');
  await page.getByLabel('Your reply to Finder 3').fill('Yes, it is\nThank you');
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  for (const finder of [1, 2, 3]) await head(finder).click();
  await expect(head(3)).toContainText('You: Yes, it is');
  await expect(head(3)).not.toContainText('Thank you');
  await expect(head(2)).toContainText('I have it');
  await expect(head(1)).toContainText('A sentence that is too long');
  await expect(head(1)).not.toContainText('And more');
  const heights = await Promise.all([1, 2].map((finder) => head(finder).evaluate((element) => element.clientHeight)));
  expect(heights[0]).toBe(heights[1]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('a conversation shows all its new messages where they fit, and else begins at the first of them', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  const write = (body: string) => {
    const key = `${code}-finder`;
    return client.rpc('send_message', { qr_id_param: code, body_param: body, finder_key_param: key }).throwOnError();
  };
  const log = page.getByRole('region', { name: 'Conversation with Finder 1' });
  /** Returns which messages are wholly in the box. */
  const inBox = () =>
    log.evaluate((box) => {
      const { top, bottom } = box.getBoundingClientRect();
      const isIn = (rect: DOMRect) => rect.top >= top - 1 && rect.bottom <= bottom + 1;
      const messages = [...box.querySelectorAll('li')];
      return messages.flatMap((each, index) => (isIn(each.getBoundingClientRect()) ? [index + 1] : []));
    });
  const see = () =>
    client.from('messages').update({ read_at: new Date().toISOString() }).is('read_at', null).throwOnError();
  for (const body of ['One\n\n\n\n\nEnd', 'Two\n\n\n\n\nEnd']) await write(body);
  await see();
  for (const body of ['Three\n\n\n\nEnd', 'Four\n\n\n\n\nEnd']) await write(body);
  await page.goto(finderPage(code));
  await expect(log).toBeVisible();
  // Both new ones, which are longer than the box of a conversation without any.
  expect(await inBox()).toEqual([3, 4]);
  expect(await log.evaluate((box) => box.scrollTop)).toBe(0);

  await page.goto('/dashboard');
  await see();
  for (const body of ['Five', 'Six', 'Seven', 'Eight', 'Nine']) await write(`${body}\n\n\n\n\nEnd`);
  await page.goto(finderPage(code));
  await expect(log).toBeVisible();
  const shown = await inBox();
  expect(shown[0]).toBe(5);
  expect(shown).not.toContain(9);
  // Only what was in view is seen, up to the end.
  await page.mouse.move(100, 100);
  await page.mouse.move(110, 120);
  const unread = async () =>
    (await client.from('messages').select('id').is('read_at', null).throwOnError()).data.length;
  await expect.poll(unread).toBeLessThan(5);
  expect(await unread()).toBeGreaterThan(0);
  await log.evaluate((box) => {
    box.scrollTop = 0;
    box.scrollIntoView({ block: 'end' });
  });
  await expect.poll(unread).toBe(0);
});

test('a message that was just sent is shown to its sender, also after scrolling up in the conversation', {
  tag: '@one-width',
}, async ({ page, another, newOwner }) => {
  const { code } = await newOwner(page);
  const finder = await another();
  await finder.goto(finderPage(code));
  const finderLog = finder.getByRole('log', { name: 'Your conversation with Dana' });
  const write = async (body: string) => {
    await finder.getByLabel('Your message').fill(body);
    await finder.getByRole('button', { name: 'Send Message' }).click();
    await expect(finderLog).toContainText(body);
  };
  for (const body of ['One', 'Two', 'Three']) await write(`${body}\n\n\n\n\n\nEnd of ${body}`);
  const scrollUp = (log: Locator) =>
    log.evaluate((box) => {
      box.scrollTop = -box.scrollHeight;
      return box.scrollTop;
    });
  const isAtEnd = (log: Locator) => log.evaluate((box) => box.scrollTop === 0);
  expect(await scrollUp(finderLog)).toBeLessThan(0);
  await write('I am still here');
  await expect.poll(() => isAtEnd(finderLog)).toBe(true);
  await expect(finderLog.getByText('I am still here')).toBeInViewport({ ratio: 1 });

  await page.goto(finderPage(code));
  const log = page.getByRole('region', { name: 'Conversation with Finder 1' });
  expect(await scrollUp(log)).toBeLessThan(0);
  // What the other one writes moves nothing.
  await write('Hello?');
  await expect(log).toContainText('Hello?');
  expect(await isAtEnd(log)).toBe(false);
  await page.getByLabel('Your reply to Finder 1').fill('On my way');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(log.getByText('On my way')).toBeInViewport({ ratio: 1 });
  expect(await isAtEnd(log)).toBe(true);
});

test('a message that arrives out of the owner’s view is announced in one notice', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, newOwner }) => {
  const { code } = await newOwner(page);
  const subscriptions = countSubscriptions(page);
  await page.goto(finderPage(code));
  await skipFirstVisit(page);
  await expect.poll(subscriptions).toBe(1);
  const finder = await another();
  await finder.goto(finderPage(code));
  const write = async (body: string) => {
    await finder.getByLabel('Your message').fill(body);
    await finder.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('list', { name: 'Finder 1' })).toContainText(body);
  };
  const notice = page.getByText('New message about My Tagged Item');
  const title = page.getByRole('heading', { name: 'Messages from finders' });

  await title.scrollIntoViewIfNeeded();
  await write('Where are you?');
  await expect(notice).toBeHidden();

  await page.getByRole('button', { name: 'Delete item' }).scrollIntoViewIfNeeded();
  await expect(title).not.toBeInViewport();
  await write('I am at the station.');
  await expect(notice.first()).toBeVisible();
});

test('new messages arrive also after the server has closed the channel', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  const { client, code } = await newOwner(page);
  let joined = 0;
  await page.routeWebSocket('**/realtime/v1/**', (socket) => {
    const server = socket.connectToServer();
    server.onMessage((frame) => {
      socket.send(frame);
      const text = String(frame);
      if (!text.includes('Subscribed to PostgreSQL')) return;
      joined += 1;
      // As after the end of a token that the page has not renewed in time.
      if (joined > 1) return;
      const parsed: unknown = JSON.parse(text);
      if (Array.isArray(parsed)) socket.send(JSON.stringify([parsed[0], null, parsed[2], 'phx_close', {}]));
      else socket.send(JSON.stringify({ ...Object(parsed), ref: null, event: 'phx_close', payload: {} }));
    });
  });
  await page.goto('/dashboard');
  await expect.poll(() => joined).toBe(2);
  const written = await client.rpc('send_message', { qr_id_param: code, body_param: 'I found it' });
  expect(written.error).toBeNull();
  await expect(page.getByRole('link', { name: /My Tagged Item/ })).toContainText('1 new message');
});

test('the counter of a reply turns amber and red, counts emoji as one, and enforces the limit', {
  tag: '@rest',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  await client.rpc('send_message', { qr_id_param: code, body_param: 'I have it' }).throwOnError();
  await page.goto(finderPage(code));
  const reply = page.getByRole('textbox').first();
  await reply.fill('a'.repeat(200));
  await expect(page.getByText('200/250')).toHaveClass(/text-ink-soft/);
  await reply.fill('a'.repeat(201));
  await expect(page.getByText('201/250')).toHaveClass(/text-warning/);
  await reply.fill('🔑'.repeat(251));
  await expect(page.getByText('250/250')).toHaveClass(/text-danger/);
  expect(await reply.inputValue()).toBe('🔑'.repeat(250));

  // What is typed is kept: when the conversation is closed, on another screen, and after a reload.
  const head = page.getByRole('button', { name: /^Finder/ }).first();
  await head.click();
  await expect(head).toHaveAttribute('aria-expanded', 'false');
  await head.click();
  await expect(reply).toHaveValue('🔑'.repeat(250));
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await page.getByRole('link', { name: /My Tagged Item/ }).click();
  await expect(reply).toHaveValue('🔑'.repeat(250));
  await page.reload();
  await expect(reply).toHaveValue('🔑'.repeat(250));
});

test('a reply whose confirmation is lost is sent again by itself, and stored once', {
  tag: ['@one-width', '@rest'],
}, async ({ page, service, story }) => {
  await signIn(page.context(), service.url, story.session);
  await page.goto(finderPage(story.codes.keys));
  let attempts = 0;
  await page.route('**/rpc/send_reply', async (route) => {
    attempts += 1;
    if (attempts > 1) return route.continue();
    // The request arrives, but the response is a gateway's.
    await route.fetch();
    return route.fulfill({ status: 502, body: '' });
  });
  await page.getByRole('textbox').first().fill('Only once, please');
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  await expect(page.getByText('Only once, please')).toBeVisible();
  await expect.poll(() => attempts).toBe(2);
  await page.reload();
  await expect(page.getByText('Only once, please')).toHaveCount(1);
});

test('a reply written offline says so, survives a reload, and is sent once online', {
  tag: ['@one-width', '@rest'],
}, async ({ page, service, story }) => {
  await signIn(page.context(), service.url, story.session);
  await page.goto(finderPage(story.codes.keys));
  let isCut = true;
  await page.route('**/rpc/send_reply', (route) =>
    isCut ? route.fulfill({ status: 502, body: '' }) : route.continue(),
  );
  await page.getByRole('textbox').first().fill('From the tunnel');
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  await expect(page.getByText('Not sent yet. We’re trying again...')).toBeVisible();

  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('From the tunnel')).toBeVisible();
  isCut = false;
  await expect(page.getByText('Not sent yet. We’re trying again...')).toBeHidden();
  await expect(page.getByText('From the tunnel')).toHaveCount(1);
  await page.reload();
  await expect(page.getByText('From the tunnel')).toHaveCount(1);
});

test('a message sent while the page is still loading the conversation is shown', {
  tag: ['@one-width', '@rest'],
}, async ({ page, service, story }) => {
  // Only in the app, whose page does not include the conversation.
  await signIn(page.context(), service.url, story.newcomer);
  const isSent = Promise.withResolvers<void>();
  await page.route(
    '**/conversation',
    async (route) => {
      const response = await route.fetch();
      await isSent.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.goto(finderPage(story.codes.backpack));
  await page.getByLabel('Your message').fill('Faster than the question');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByText('Anonymous message sent to owner').first()).toBeVisible();
  isSent.resolve();
  await expect(page.getByRole('log')).toContainText('Faster than the question');
});

test('a conversation that could not be loaded at first is shown later', { tag: ['@one-width', '@rest'] }, async ({
  page,
  service,
  story,
}) => {
  // Only in the app, whose page does not include the conversation.
  await signIn(page.context(), service.url, story.newcomer);
  await page.goto(finderPage(story.codes.keys));
  await page.getByLabel('Your message').fill('Found under a bench');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('log')).toContainText('Found under a bench');
  const failed = page.waitForResponse((response) => response.status() === 502);
  await page.route('**/conversation', (route) => route.fulfill({ status: 502, body: '' }), { times: 1 });
  await page.reload();
  await failed;
  await expect(page.getByRole('log')).toContainText('Found under a bench');
});

test.describe('a refusal', () => {
  test.use({ refusals: [404] });

  test('shows on the reply itself, which can be sent again or discarded', { tag: '@rest' }, async ({ page, story }) => {
    // In the page, and not before it was loaded: refusals are shown from then on.
    await page.goto('/auth?mode=login');
    await page.getByLabel('Email').fill(story.email);
    await page.getByLabel('Password', { exact: true }).fill(story.password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.getByRole('link', { name: /House keys/ }).click();
    await page.route('**/rpc/send_reply', (route) =>
      route.fulfill({ status: 404, json: { code: 'PT404', message: 'No conversation of yours has this id' } }),
    );
    await page.getByRole('textbox').first().fill('Into nowhere');
    await page.getByRole('button', { name: 'Send', exact: true }).first().click();
    await expect(page.getByText('Not sent', { exact: true })).toBeVisible();
    await expect(page.getByText('We couldn’t send your reply')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByText('Into nowhere')).toBeHidden();
  });
});

test('without JavaScript a finder reads the reply on the page, and writes again', { tag: '@one-width' }, async ({
  browser,
  contextOptions,
  page,
  service,
  story,
}) => {
  const context = await browser.newContext({ ...contextOptions, baseURL: service.url, javaScriptEnabled: false });
  const finder = await context.newPage();
  await finder.goto(finderPage(story.codes.backpack));
  await finder.getByLabel('Your message').fill('No script here');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  await expect(finder.getByText('Anonymous message sent to owner')).toBeVisible();
  await expect(finder.getByRole('log')).toContainText('No script here');

  await signIn(page.context(), service.url, story.session);
  await page.goto(finderPage(story.codes.backpack));
  const newest = page.getByRole('textbox').first();
  await expect(page.getByText('No script here')).toBeVisible();
  await newest.fill('Read this later');
  await page.getByRole('button', { name: 'Send', exact: true }).first().click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Read this later' })).toBeVisible();
  await expect(page.getByText('Sending...')).toBeHidden();

  await finder.goto(finderPage(story.codes.backpack));
  await expect(finder.getByRole('log').getByRole('listitem').last()).toContainText('Read this later');
  await context.close();
});

test('a finder who scans the sticker again is back in the conversation, with and without a script', {
  tag: '@one-width',
}, async ({ browser, contextOptions, service, story }) => {
  const code = story.codes.keys;
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ ...contextOptions, baseURL: service.url, javaScriptEnabled });
    const finder = await context.newPage();
    const body = `Scanned ${javaScriptEnabled ? 'with' : 'without'} a script`;
    await finder.goto(`/${code}`);
    await expect(finder).toHaveURL(javaScriptEnabled ? `/item/${code}` : `/${code}`);
    await finder.getByLabel('Your message').fill(body);
    await finder.getByRole('button', { name: 'Send Message' }).click();
    await expect(finder.getByText('Anonymous message sent to owner').first()).toBeVisible();

    const later = await context.newPage();
    await later.goto(`/${code}`);
    await expect(later.getByRole('log')).toContainText(body);
    // A browser that wrote before the sticker's address served the page has a key for the item's page alone.
    await context.clearCookies({ name: 'reunite_finder_key', path: `/${code}` });
    if (javaScriptEnabled) {
      await later.goto(`/${code}`);
      await expect(later.getByRole('log')).toContainText(body);
    }
    await context.close();
  }
});

test('a long conversation is shown from its newest message on, on both sides, also without a script', {
  tag: ['@one-width', '@rest'],
}, async ({ browser, contextOptions, page, newOwner, service }) => {
  const { client, code } = await newOwner(page);
  const finderKey = 'the-key-of-a-finder-who-writes-a-lot';
  for (let index = 1; index <= 12; index += 1) {
    const body = `Message ${index}\nin\nfour\nlines`;
    const sent = await client.rpc('send_message', { qr_id_param: code, body_param: body, finder_key_param: finderKey });
    expect(sent.error).toBeNull();
  }
  const expectNewestInView = async (list: Locator, box: Locator) => {
    await expect(list.getByRole('listitem').first()).toContainText('Message 1\n');
    await expect(list.getByRole('listitem').last()).toBeInViewport({ ratio: 1 });
    await expect(list.getByRole('listitem').first()).not.toBeInViewport();
    await expect(box).toBeInViewport();
  };
  // Where messages are new, it begins at the first of them.
  await client.from('messages').update({ read_at: new Date().toISOString() }).is('read_at', null).throwOnError();
  await page.goto(finderPage(code));
  await expectNewestInView(page.getByRole('list', { name: 'Finder 1' }), page.getByLabel('Your reply to Finder 1'));

  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ ...contextOptions, baseURL: service.url, javaScriptEnabled });
    await context.addCookies([{ name: 'reunite_finder_key', value: finderKey, url: `${service.url}/item/${code}` }]);
    const finder = await context.newPage();
    await finder.goto(`${finderPage(code)}#message`);
    await expectNewestInView(finder.getByRole('log'), finder.getByLabel('Your message'));
    await context.close();
  }
});

test('an owner deletes a conversation, and the finder’s next message begins a new one', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, newOwner }) => {
  const { code } = await newOwner(page);
  const finder = await another();
  await finder.goto(finderPage(code));
  const write = async (body: string) => {
    await finder.getByLabel('Your message').fill(body);
    await finder.getByRole('button', { name: 'Send Message' }).click();
    await expect(finder.getByRole('log')).toContainText(body);
  };
  await write('I have your backpack');
  await page.goto(`/item/${code}`);
  const thread = page.getByRole('list', { name: 'Finder 1' });
  await expect(thread).toContainText('I have your backpack');
  await page.getByRole('button', { name: 'Delete conversation' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(thread).toContainText('I have your backpack');
  await page.getByRole('button', { name: 'Delete conversation' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Conversation deleted')).toBeVisible();
  await expect(thread).toBeHidden();

  await finder.reload();
  await expect(finder.getByText('I have your backpack')).toBeHidden();
  await write('Are you there?');
  await expect(thread).toContainText('Are you there?');
  await expect(thread.getByRole('listitem')).toHaveCount(1);
});
