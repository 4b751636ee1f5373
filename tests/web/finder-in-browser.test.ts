import { expect, test } from 'vitest';
import { messagePhoto } from '#domain/words/compiled/en/message-photo.ts';
import { aPicture } from '#tests/contract/storage/support/pictures.ts';
import { brokenRules } from '#tests/support/broken-rules.ts';
import { expectPage } from '#tests/support/expect-page.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openBrowser, type Visit } from './support/open-browser.ts';

const database = await createTestDatabase();
const { url: origin } = await startTestServer(database);
const visit = await openBrowser();
const owner = await createOwner(database, { fullName: 'Dana Levi', phone: '+972501234567' });

const newItem = () => createItem(database, owner, { itemName: 'House keys' });
const pageOf = ({ qrId }: TestItem) => `${origin}/item/${qrId}`;

async function messagesOf({ id }: TestItem): Promise<string[]> {
  const rows = await database.query<{ body: string }>('select body from public.messages where item_id = $1', [id]);
  return rows.map(({ body }) => body);
}

test('without JavaScript a message reaches the owner, and a contact method opens', async () => {
  const item = await newItem();
  await visit(
    async ({ page }) => {
      await page.goto(pageOf(item));
      await expectPage(page.getByRole('button', { name: 'Share' })).toBeHidden();
      await page.getByLabel('Your message').fill('At the front desk');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expectPage(page.getByText('Anonymous message sent to owner')).toBeVisible();
      const opened = page.waitForRequest('https://wa.me/972501234567?**');
      await page.getByRole('button', { name: 'WhatsApp' }).click();
      await opened;
    },
    { javaScriptEnabled: false },
  );
  expect(await messagesOf(item)).toEqual(['At the front desk']);
});

test.each([true, false])('a tap sends what it says, with a place, JavaScript: %j', async (javaScriptEnabled) => {
  const item = await newItem();
  await visit(
    async ({ page }) => {
      await page.goto(pageOf(item));
      const place = page.getByLabel('Where is it?');
      await expectPage(place).toBeHidden();
      await page.getByText('Add a place').click();
      await place.fill('Platform 2');
      // It sends nothing: a place does not say what is there.
      await place.press('Enter');
      await page.getByRole('button', { name: 'I left it at' }).click();
      await expectPage(page.getByRole('log')).toContainText('I left it at Platform 2');
      await expectPage(page.getByRole('log').getByRole('listitem')).toHaveCount(1);
      await expectPage(place).toHaveValue('');
      await page.getByRole('button', { name: 'I have it' }).click();
      await expectPage(page.getByRole('log').getByRole('listitem').last()).toContainText('I have it');
    },
    { javaScriptEnabled },
  );
  expect(
    await database.query('select kind, place, body from public.messages where item_id = $1 order by created_at', [
      item.id,
    ]),
  ).toEqual([
    { kind: 'left_it', place: 'Platform 2', body: '' },
    { kind: 'have_it', place: null, body: '' },
  ]);
});

test.each(['Enter', 'Send Message', 'I left it at …'])(
  'a tap that lacks its place asks for it, and is sent by what comes to hand: %s',
  async (last) => {
    const item = await newItem();
    await visit(async ({ page }) => {
      await page.goto(pageOf(item));
      const place = page.getByLabel('Where is it?');
      const send = page.getByRole('button', { name: 'Send Message' });
      await expectPage(send).toBeDisabled();
      await page.getByRole('button', { name: 'I left it at' }).click();
      await expectPage(place).toBeFocused();
      await place.fill('The café');
      await (last === 'Enter' ? place.press(last) : page.getByRole('button', { name: last }).click());
      const log = page.getByRole('log');
      await expectPage(log).toContainText('I left it at The café');
      await expectPage(send).toBeDisabled();

      // Who writes instead has not left it anywhere.
      await page.getByRole('button', { name: 'I left it at' }).click();
      await page.getByLabel('Your message').fill('Still here');
      await send.click();
      await expectPage(log.getByRole('listitem')).toHaveCount(2);
    });
    expect(
      await database.query('select kind, place, body from public.messages where item_id = $1 order by created_at', [
        item.id,
      ]),
    ).toEqual([
      { kind: 'left_it', place: 'The café', body: '' },
      { kind: 'text', place: null, body: 'Still here' },
    ]);
  },
);

test.each([
  ['left_it', 'I left it at …', 'I left it'],
  ['saw_it', 'I saw it here', 'I saw it'],
])(
  'a tap that means a place shows that it waits for one, and no second press sends it without: %s',
  async (kind, name, said) => {
    const item = await newItem();
    await visit(async ({ page }) => {
      await page.goto(pageOf(item));
      const tap = page.getByRole('button', { name });
      const place = page.getByLabel('Where is it?');
      const send = page.getByRole('button', { name: 'Send', exact: true });
      const entries = page.getByRole('log').getByRole('listitem');
      await expectPage(send).toBeHidden();
      await tap.dblclick();
      await expectPage(tap).toHaveAttribute('aria-pressed', 'true');
      await expectPage(page.locator('[aria-pressed]')).toHaveCount(1);
      await expectPage(place).toBeFocused();
      await expectPage(send).toBeInViewport({ ratio: 1 });
      await place.press('Enter');
      await tap.click();
      await expectPage(place).toBeFocused();
      expect(await database.query('select from public.messages where item_id = $1', [item.id])).toEqual([]);

      // Closing the place is a way out.
      await page.getByText('Add a place').click();
      await expectPage(page.locator('[aria-pressed]')).toHaveCount(0);
      await expectPage(page.getByRole('button', { name: 'Send Message' })).toBeDisabled();

      await tap.click();
      await place.fill('Gate 4');
      await send.click();
      await expectPage(entries).toHaveCount(1);
      await expectPage(entries).toContainText(`${said} at Gate 4`);
      await expectPage(send).toBeHidden();
      await tap.click();
      await send.click();
      await expectPage(entries).toHaveCount(2);
    });
    expect(
      await database.query('select kind, place from public.messages where item_id = $1 order by created_at', [item.id]),
    ).toEqual([
      { kind, place: 'Gate 4' },
      { kind, place: null },
    ]);
  },
);

test('without JavaScript a tap that means a place asks for it before anything is sent', async () => {
  const item = await newItem();
  await visit(
    async ({ page }) => {
      await page.goto(pageOf(item));
      await page.getByRole('button', { name: 'I left it at' }).click();
      await expectPage(page.getByRole('button', { name: 'I left it at', pressed: true })).toBeVisible();
      const place = page.getByLabel('Where is it?');
      await expectPage(place).toBeVisible();
      await place.press('Enter');
      await page.getByRole('button', { name: 'I left it at', pressed: true }).click();
      expect(await database.query('select from public.messages where item_id = $1', [item.id])).toEqual([]);
      await place.fill('The café');
      await place.press('Enter');
      await expectPage(page.getByRole('log')).toContainText('I left it at The café');
      await page.getByRole('button', { name: 'I saw it here' }).click();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await expectPage(page.getByRole('log').getByRole('listitem')).toHaveCount(2);
    },
    { javaScriptEnabled: false, expected: /status of 422/ },
  );
  expect(
    await database.query('select kind, place from public.messages where item_id = $1 order by created_at', [item.id]),
  ).toEqual([
    { kind: 'left_it', place: 'The café' },
    { kind: 'saw_it', place: null },
  ]);
});

test.each([true, false])(
  'after sending it is said once, and the taps come last, JavaScript: %j',
  async (javaScriptEnabled) => {
    const item = await newItem();
    await visit(
      async ({ page }) => {
        await page.goto(pageOf(item));
        const tap = page.getByRole('button', { name: 'I have it' });
        const input = page.getByLabel('Your message');
        const isTapFirst = async () => ((await tap.boundingBox())?.y ?? 0) < ((await input.boundingBox())?.y ?? 0);
        expect(await isTapFirst()).toBe(true);
        await tap.click();
        await expectPage(page.getByRole('log')).toContainText('I have it');
        await expectPage(page.getByText('Anonymous message sent to owner')).toHaveCount(1);
        await expectPage(page.getByText('Dana’s reply will appear on this page.')).toHaveCount(0);
        expect(await isTapFirst()).toBe(false);
        // Whether there is more to say is asked right below it, before anything else.
        const more = page.getByRole('region', { name: 'Anything to add?' });
        await expectPage(more.getByLabel('Your message')).toBeEditable();
        await expectPage(page.getByText('Your return code')).toBeVisible();
        expect(await page.getByRole('heading').allTextContents()).toEqual([
          expect.any(String),
          'Your conversation with Dana',
          'Anything to add?',
          'Contact Dana',
        ]);
      },
      { javaScriptEnabled },
    );
  },
);

test.each([
  ['beside other ways', true],
  ['as the only way', false],
])('a message that fails in the end says so, and what to do, %s', async (_, isOneOfSeveral) => {
  const item = await newItem();
  if (!isOneOfSeveral) {
    await database.query(
      'update public.items set (whatsapp_enabled, call_enabled, email_enabled) = (false, false, false) where id = $1',
      [item.id],
    );
  }
  await visit(
    async ({ page }) => {
      await page.clock.install();
      await page.route('**/message', (route) => route.fulfill({ status: 502, body: '' }));
      await page.goto(pageOf(item));
      await page.getByLabel('Your message').fill('Bad luck');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expectPage(page.getByText('We’re trying again...')).toBeVisible();
      const alert = page.getByRole('alert');
      await expectPage(async () => {
        await page.clock.runFor(10_000);
        await expectPage(alert).toBeInViewport({ timeout: 100 });
      }).toPass();
      await expectPage(alert).toContainText('Your message wasn’t sent');
      await expectPage(alert).toContainText('Everything you entered is still here. Please try again');
      await expectPage(alert.getByText('or use another way')).toHaveCount(isOneOfSeveral ? 1 : 0);
      await expectPage(page.getByLabel('Your message')).toHaveValue('Bad luck');
      await page.unroute('**/message');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expectPage(alert).toBeHidden();
      await expectPage(page.getByRole('log')).toContainText('Bad luck');
    },
    { expected: /status of 502/ },
  );
  expect(await messagesOf(item)).toEqual(['Bad luck']);
});

test('a location is taken on request alone, shown before it is sent, and coarse unless the finder chooses exact', async () => {
  const item = await newItem();
  await visit(
    async ({ page }) => {
      await page.goto(pageOf(item));
      const willSend = page.getByText('We’ll send this location:');
      await page.getByText('Add a place').click();
      await expectPage(willSend).toBeHidden();
      await page.getByRole('button', { name: 'Add my location' }).click();
      await expectPage(willSend).toContainText('32.08, 34.79');
      await page.getByLabel('Exact, to about a meter').check();
      await expectPage(willSend).toContainText('32.08123, 34.78999');
      await page.getByRole('button', { name: 'Leave it out' }).click();
      await expectPage(willSend).toBeHidden();
      await page.getByRole('button', { name: 'Add my location' }).click();
      await page.getByLabel('Exact, to about a meter').uncheck();
      const posted = page.waitForRequest('**/message');
      await page.getByRole('button', { name: 'I saw it here' }).click();
      expect((await posted).postData()).toMatch(/latitude=32\.08&longitude=34\.79&/);
      await expectPage(page.getByRole('log')).toContainText('Location: 32.08, 34.79, to about a kilometer');
      await expectPage(willSend).toBeHidden();
    },
    { geolocation: { latitude: 32.081234, longitude: 34.789994 }, permissions: ['geolocation'] },
  );
});

test.each([true, false])(
  'a photo goes with a tap or alone, and is shown, JavaScript: %j',
  async (javaScriptEnabled) => {
    const item = await newItem();
    const photo = {
      name: 'IMG_1234.JPG',
      mimeType: 'image/jpeg',
      buffer: await aPicture(3000, 2000).jpeg().toBuffer(),
    };
    await visit(
      async ({ page }) => {
        await page.goto(pageOf(item));
        const field = page.getByLabel('Add a photo');
        await field.setInputFiles(photo);
        if (javaScriptEnabled) await expectPage(page.locator('canvas')).toHaveJSProperty('width', 320);
        await page.getByRole('button', { name: 'I have it' }).click();
        const shown = page.getByRole('log').getByRole('img', { name: 'The photo you sent' });
        await expectPage(shown).toHaveJSProperty('complete', true);
        await expectPage(shown).not.toHaveJSProperty('naturalWidth', 0);
        await expectPage(field).toHaveValue('');
        await expectPage(page.locator('canvas')).toHaveCount(0);
        await page.getByLabel('Your message').fill('Nothing to see');
        await page.getByRole('button', { name: 'Send Message' }).click();
        await expectPage(page.getByRole('log').getByRole('listitem')).toHaveCount(2);
        await expectPage(shown).toHaveCount(1);
        await page.reload();
        await expectPage(shown).toHaveCount(1);
        const corners = await shown.evaluate((image) => getComputedStyle(image).borderRadius);
        await field.setInputFiles(photo);
        await page.getByRole('button', { name: 'Send Message' }).click();
        await expectPage(shown).toHaveCount(2);
        await expectPage(page.getByRole('log')).toContainText('I took a photo');
        // One that has just been sent looks like the others.
        await expectPage(shown.last()).toHaveCSS('border-radius', corners);
      },
      { javaScriptEnabled },
    );
    expect(
      await database.query('select kind, photo from public.messages where item_id = $1 order by created_at', [item.id]),
    ).toEqual([
      { kind: 'have_it', photo: true },
      { kind: 'text', photo: false },
      { kind: 'photo', photo: true },
    ]);
  },
);

test('at 320 pixels a return code stays on one line, and the button for a photo is as high as a finger', async () => {
  const item = await newItem();
  await visit(
    async ({ page }) => {
      await page.goto(pageOf(item));
      const button = await page.getByLabel('Add a photo').evaluate((field) => field.closest('label')?.clientHeight);
      expect(button).toBeGreaterThanOrEqual(44);
      await page.getByRole('button', { name: 'I have it' }).click();
      const code = page.locator('[data-return-code]');
      await expectPage(code).toHaveText(/^\w{4} \w{4}$/);
      expect(await code.evaluate((element) => element.getClientRects().length)).toBe(1);
    },
    { viewport: { width: 320, height: 640 } },
  );
});

test.each([
  [390, 844, 'the whole contact card'],
  [320, 568, 'the first way to respond'],
])('of a lost item with a reward and a note, %i × %i pixels show %s', async (width, height) => {
  const item = await createItem(database, owner, {
    itemName: 'Grandmother’s violin',
    reward: '20 dollars and a coffee',
    noteToFinders: 'Lost on bus 18.',
  });
  await database.query(`
    begin;
    -- A photo without the upload of its file.
    set local session_replication_role = replica;
    update public.items set lost_at = now(), photo = user_id || '/' || id || '.webp' where id = '${item.id}';
    commit`);
  await visit(
    async ({ page }) => {
      const body = await aPicture().webp().toBuffer();
      await page.route('**/item-photos/**', (route) => route.fulfill({ contentType: 'image/webp', body }));
      await page.goto(pageOf(item));
      const last =
        width > 320 ? page.getByRole('button', { name: 'Share' }) : page.getByRole('button', { name: 'I have it' });
      await expectPage(last).toBeInViewport({ ratio: 1 });
      // Each word stays whole: as wide as it is, it is on one line.
      const lines = await page.getByText('Grandmother’s violin').evaluate((name) => {
        const text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode();
        const range = document.createRange();
        if (text === null) return 0;
        range.setStart(text, 0);
        range.setEnd(text, 'Grandmother’s'.length);
        return range.getClientRects().length;
      });
      expect(lines).toBe(1);
    },
    { viewport: { width, height } },
  );
});

test('a photo that cannot be sent delays no message; what is wrong with it is said', async () => {
  const item = await newItem();
  const work = async ({ page }: Visit) => {
    await page.goto(pageOf(item));
    const field = page.getByLabel('Add a photo');
    await field.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') });
    await page.getByLabel('Your message').fill('On the bench');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expectPage(page.getByRole('log')).toContainText('On the bench');
    await expectPage(page.getByText('Your message was sent, but we couldn’t add the photo.')).toBeVisible();
    // A browser that loads no script beyond the inlined one posts the form as it is.
    await page.route('**/finder-extras.js', (route) => route.abort());
    await page.reload();
    const buffer = await aPicture().jpeg().toBuffer();
    await field.setInputFiles({ name: 'b.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByLabel('Your message').fill('Under the bench');
    const failed = page.waitForEvent('requestfailed');
    await field.setInputFiles({ name: 'b.jpg', mimeType: 'image/jpeg', buffer });
    await failed;
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expectPage(page).toHaveURL(/\?sent=1#message$/);
    await expectPage(page.getByRole('img', { name: 'The photo you sent' })).toHaveCount(1);
  };
  await visit(work, { expected: /status of 422|ERR_FAILED/ });
});

test('a photo for which the service has no room is sent once, and the words of the service are shown [I57]', async () => {
  const item = await newItem();
  const work = async ({ page }: Visit) => {
    let sent = 0;
    await page.route('**/photo/*', (route) => {
      sent += 1;
      return route.fulfill({ status: 507, json: { problem: messagePhoto.full } });
    });
    await page.goto(pageOf(item));
    const buffer = await aPicture().jpeg().toBuffer();
    await page.getByLabel('Add a photo').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByLabel('Your message').fill('On the bench');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expectPage(page.getByText(messagePhoto.full)).toBeVisible();
    expect(sent).toBe(1);
  };
  await visit(work, { expected: /status of 507/ });
});

test('the counter turns amber above 80 % and red at the limit, counts emoji as one, and lets no more in', async () => {
  const item = await newItem();
  await visit(async ({ page }) => {
    await page.goto(pageOf(item));
    const input = page.getByLabel('Your message');
    const send = page.getByRole('button', { name: 'Send Message' });
    await expectPage(send).toBeDisabled();
    await input.fill('   ');
    await expectPage(send).toBeDisabled();
    await input.fill('a'.repeat(200));
    await expectPage(page.getByText('200/250')).toHaveClass(/text-ink-soft/);
    await input.fill('a'.repeat(201));
    await expectPage(page.getByText('201/250')).toHaveClass(/text-warning/);
    await input.fill('🔑'.repeat(251));
    await expectPage(page.getByText('250/250')).toHaveClass(/text-danger/);
    expect(await input.inputValue()).toBe('🔑'.repeat(250));
    await send.click();
    await expectPage(page.getByText('Anonymous message sent to owner').first()).toBeVisible();
    await expectPage(input).toHaveValue('');
    await expectPage(page.getByText('0/250')).toBeVisible();
    expect(page.url()).toBe(pageOf(item));
  });
  expect(await messagesOf(item)).toEqual(['🔑'.repeat(250)]);
});

test('a message whose response is lost is sent again by itself, and stored once', async () => {
  const item = await newItem();
  await visit(
    async ({ page }) => {
      let attempts = 0;
      await page.route('**/message', async (route) => {
        attempts += 1;
        if (attempts > 1) return route.continue();
        // The request arrives, but the connection breaks before the response.
        await route.fetch();
        return route.abort('connectionreset');
      });
      await page.goto(pageOf(item));
      await page.getByLabel('Your message').fill('Only once');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expectPage(page.getByText('We’re trying again...')).toBeVisible();
      await expectPage(page.getByText('Anonymous message sent to owner').first()).toBeVisible();
      expect(attempts).toBe(2);
    },
    { expected: /ERR_CONNECTION_RESET/ },
  );
  expect(await messagesOf(item)).toEqual(['Only once']);
});

test('offline: it says so, keeps the text, and sends when the connection is back', async () => {
  const item = await newItem();
  await visit(
    async ({ page, context }) => {
      await page.goto(pageOf(item));
      await page.getByLabel('Your message').fill('From the tunnel');
      await context.setOffline(true);
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expectPage(page.getByText('You’re offline.')).toBeVisible();
      await expectPage(page.getByLabel('Your message')).toHaveValue('From the tunnel');
      expect(await messagesOf(item)).toEqual([]);
      await context.setOffline(false);
      await expectPage(page.getByText('Anonymous message sent to owner').first()).toBeVisible();
    },
    { expected: /ERR_INTERNET_DISCONNECTED/ },
  );
  expect(await messagesOf(item)).toEqual(['From the tunnel']);
});

test('what became of a message is shown live, in the finder’s own time', async () => {
  const item = await newItem();
  await visit(
    async ({ page }) => {
      await page.goto(pageOf(item));
      const line = page.locator('[data-state]:visible');
      await expectPage(line).toHaveCount(0);
      await page.getByLabel('Your message').fill('I have them');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expectPage(line).toHaveText('Delivered. You’ll read Dana’s reply here.');
      // As if it had been written and seen hours ago: the trigger would store the present time.
      const client = await database.pool.connect();
      await client.query('begin');
      await client.query('set local session_replication_role = replica');
      await client.query(
        "update public.messages set created_at = now() - interval '3 hours', read_at = now() - interval '3 hours' where item_id = $1",
        [item.id],
      );
      await client.query('commit');
      client.release();
      // The script asks again at once when the window gets the focus.
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      await expectPage(line).toHaveText(/^Seen about .+\d:30\s[AP]M\. You’ll read Dana’s reply here\.$/);
    },
    // Half an hour from UTC.
    { timezoneId: 'Asia/Kolkata' },
  );
});

test('a finder with the page open learns that the item has a new owner, and keeps the text [K62]', async () => {
  const item = await newItem();
  const receiver = await createOwner(database, { fullName: 'Noa Cohen' });
  await visit(async ({ page }) => {
    await page.goto(pageOf(item));
    await page.getByLabel('Your message').fill('At six by the fountain');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expectPage(page.getByRole('log')).toContainText('At six by the fountain');
    await page.getByLabel('Your message').fill('I am here');
    await database.query('select internal.move_item($1, $2)', [item.id, receiver.id]);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expectPage(page.getByText('This item has a new owner')).toBeVisible();
    await expectPage(page.getByRole('log')).toBeHidden();
    await expectPage(page.getByLabel('Your message')).toHaveValue('I am here');
  });
});

test('a refusal of the server is shown, and the text stays', async () => {
  const item = await newItem();
  await visit(
    async ({ page }) => {
      await page.goto(pageOf(item));
      await database.query('update public.items set message_enabled = false where id = $1', [item.id]);
      await page.getByLabel('Your message').fill('Too late');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expectPage(page.getByText('This owner isn’t accepting messages for this item.')).toBeVisible();
      await expectPage(page.getByLabel('Your message')).toHaveValue('Too late');
    },
    { expected: /status of 403/ },
  );
});

test.each([
  ['Call', 'Phone dialer opened', /^tel:\+972501234567$/],
  ['Email', 'Email client opened', /^mailto:owner-[\w-]+@example\.com\?subject=Found%20your%20item%20-%20Reunite&/],
] as const)('%s is requested when it is chosen, opened, and stays as a link', async (name, notice, href) => {
  const item = await newItem();
  await visit(async ({ page }) => {
    // The response counts as immediate however slow the machine is.
    await page.addInitScript(() => Object.defineProperty(performance, 'now', { value: () => 0 }));
    await page.goto(pageOf(item));
    expect(await page.content()).not.toContain(name === 'Call' ? '972501234567' : owner.email);
    await page.getByRole('button', { name }).click();
    await expectPage(page.getByText(notice)).toBeVisible();
    await expectPage(page.getByRole('link', { name })).toHaveAttribute('href', href);
  });
});

test('a response too late for the browser to open anything by itself needs another tap', async () => {
  const item = await newItem();
  await visit(async ({ page }) => {
    await page.addInitScript(() => {
      let now = 0;
      Object.defineProperty(performance, 'now', {
        value: () => {
          now += 5_000;
          return now;
        },
      });
    });
    await page.goto(pageOf(item));
    await page.getByRole('button', { name: 'Call' }).click();
    await expectPage(page.getByText('Tap again to open')).toBeVisible();
    await expectPage(page.getByRole('link', { name: 'Call' })).toBeFocused();
  });
});

test('sharing takes the share sheet, else the clipboard; a sheet that is closed is no failure', async () => {
  const item = await newItem();
  await visit(
    async ({ page }) => {
      await page.goto(`${pageOf(item)}?sent=1`);
      await page.getByRole('button', { name: 'Share' }).click();
      await expectPage(page.getByText('Link copied to clipboard')).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(pageOf(item));
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
  await visit(async ({ page }) => {
    await page.addInitScript(() => {
      const responses = [
        () => Promise.reject(new DOMException('closed', 'AbortError')),
        () => Promise.reject(new DOMException('no', 'NotAllowedError')),
        () => Promise.resolve(),
      ];
      Object.defineProperty(navigator, 'share', { value: () => responses.shift()?.() });
    });
    await page.goto(pageOf(item));
    const share = page.getByRole('button', { name: 'Share' });
    await share.click();
    await share.click();
    await expectPage(page.getByText('Share failed')).toBeVisible();
    await share.click();
    await expectPage(page.getByText('Shared successfully')).toBeVisible();
  });
});

test('a browser with a session that lost the cookie is handed over to the app, once, also with cookies off', async () => {
  const item = await newItem();
  await visit(
    async ({ page }) => {
      await page.goto(`${origin}/favicon.svg`);
      await page.evaluate(() => localStorage.setItem('reunite_supabase_auth', '{}'));
      const handedOver = page.waitForRequest(async (request) =>
        /(^|; )reunite_signed_in=1(;|$)/.test((await request.allHeaders()).cookie ?? ''),
      );
      await page.goto(pageOf(item));
      expect((await handedOver).url()).toBe(pageOf(item));
    },
    // What the app does with an invalid session is not part of this test.
    { expected: /./ },
  );
  await visit(
    async ({ page }) => {
      await page.addInitScript(() => {
        localStorage.setItem('reunite_supabase_auth', '{}');
        Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined });
      });
      const documents: string[] = [];
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents.push(request.url());
      });
      const isApp = page.waitForResponse(`${pageOf(item)}?app=1`);
      await page.goto(pageOf(item));
      // A policy with a nonce is the app's.
      expect((await isApp).headers()['content-security-policy']).toContain("'nonce-");
      await page.waitForLoadState('load');
      expect(documents).toEqual([pageOf(item), `${pageOf(item)}?app=1`]);
    },
    { expected: /./ },
  );
});

test.each([
  ['light', 320, 640, 'ltr'],
  ['dark', 390, 844, 'ltr'],
  ['light', 1280, 800, 'rtl'],
] as const)(
  'accessible, and without horizontal overflow: %s, %i × %i, %s',
  async (colorScheme, width, height, direction) => {
    const item = await createItem(database, owner, {
      itemName: 'Grandfather’s accordion',
      noteToFinders: 'Please write!',
    });
    await database.query('update public.items set lost_at = now() where id = $1', [item.id]);
    await visit(
      async ({ page }) => {
        for (const path of [pageOf(item), `${pageOf(item)}?sent=1`, `${origin}/item/tgt-nobodyhasthis1`]) {
          await page.goto(path);
          await page.evaluate((dir) => document.documentElement.setAttribute('dir', dir), direction);
          expect(await brokenRules(page)).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
        }
      },
      { colorScheme, viewport: { width, height }, expected: /status of 404/ },
    );
  },
);

test('every contact method and the message can be used with the keyboard, in page order', async () => {
  const item = await newItem();
  await visit(async ({ page }) => {
    await page.goto(pageOf(item));
    const reached: string[] = [];
    for (let press = 0; press < 11; press += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        ),
      );
    }
    expect(reached).toEqual([
      ...['Back', 'Log In', 'I have it', 'I left it at …', 'I saw it here', 'Add a place'],
      // The message has its name from its label.
      ...['WhatsApp', 'Call', 'Email', 'Share', ''],
    ]);
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await expectPage(page.getByLabel('Add a photo')).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectPage(page.getByText('Anonymous message sent to owner').first()).toBeVisible();
  });
});

test('a code that can never be claimed is not offered for tagging', async () => {
  await visit(
    async ({ page }) => {
      await page.goto(`${origin}/item/abc`);
      await expectPage(page.getByRole('heading', { name: 'This sticker isn’t in use' })).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'Enter the code on the sticker' })).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'Tag an item with this code' })).toHaveCount(0);
      await page.goto(`${origin}/item/tgt-nobodyhasthis1`);
      await expectPage(page.getByRole('link', { name: 'Tag an item with this code' })).toBeVisible();
      await expectPage(page.getByText('Found something with this sticker?')).toContainText('hand the item in nearby');
      await expectPage(page.getByRole('link', { name: 'check the sticker again later' })).toBeVisible();
      await page.goto(`${origin}/item/bad%20code!!`);
      await expectPage(page.getByRole('link', { name: 'Go to the start page' })).toBeVisible();
      await expectPage(page.getByRole('link', { name: 'Enter the code on the sticker' })).toBeVisible();
    },
    { expected: /status of 404/ },
  );
});
