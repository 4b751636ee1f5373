import { expect, test } from 'vitest';
import { createSmtpDelivery } from '#server/delivery/email/smtp-delivery.ts';
import { actAs } from '#tests/support/act-as.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { expectPage } from '#tests/support/expect-page.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { sendFinderEmails } from '#tests/support/reply-notices.ts';
import { tablesWith } from '#tests/support/tables-with.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { openBrowser } from './support/open-browser.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';
import { sendReply } from './support/send-reply.ts';

const database = await createTestDatabase();
const mailServer = await startMailServer();
whenDone(() => mailServer.close());
const smtp = createSmtpDelivery({
  url: `smtp://127.0.0.1:${mailServer.port}`,
  from: 'Reunite <hello@lost.example.org>',
});
const web = await startTestServer(database, { delivery: { ...catchDelivery(), sendEmail: smtp.sendEmail } });
const owner = await createOwner(database, { fullName: 'Dana Canarysurname' });

let finders = 0;
const aFinder = () => {
  finders += 1;
  return `finder-${finders}@example.net`;
};

const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';

/** A finder who wrote about a new item: the item, and the cookie of the browser. */
async function aConversation() {
  const item = await createItem(database, owner, { itemName: 'Canary backpack' });
  const response = await postForm(web, `/item/${item.qrId}/message`, { body: 'Finder’s canary words' });
  expect(response.status).toBe(303);
  return { item, cookie: cookieOf(response) };
}

interface Leaving {
  readonly item: Pick<TestItem, 'id' | 'qrId'>;
  readonly cookie: string;
}

const leave = ({ item, cookie }: Leaving, email: string, address = anAddress()) =>
  postForm(web, `/item/${item.qrId}/email`, { email }, { address, headers: { Cookie: cookie } });

const look = ({ item, cookie }: Leaving) => web.request(`/item/${item.qrId}`, { headers: { Cookie: cookie } });

const mailsTo = (address: string) =>
  mailServer.arrived
    .filter(({ recipients }) => recipients.includes(address))
    .map(({ mail, raw }) => ({ ...mail, raw }));

/** The path of a link in the newest email to the address. */
function linkTo(address: string, purpose: 'confirm' | 'open' | 'stop'): string {
  const text = mailsTo(address).at(-1)?.text ?? '';
  const link = new RegExp(`^https?://\\S+(/replies/${purpose}/\\S+)$`, 'm').exec(text)?.[1];
  if (link === undefined) throw new Error(`The email has no link to ${purpose}: ${text}`);
  return link;
}

/** A finder who left an address and proved it. */
async function aProvedFinder() {
  const conversation = await aConversation();
  const email = aFinder();
  expect((await leave(conversation, email)).status).toBe(303);
  await sendFinderEmails(database);
  expect((await postForm(web, linkTo(email, 'confirm'), {})).status).toBe(303);
  return { ...conversation, email };
}

/** How many emails about replies an address got. */
const noticesTo = (address: string) =>
  mailsTo(address).filter(({ subject }) => subject === 'New reply about the item you found').length;

async function reply(item: TestItem, body = 'Owner’s canary words'): Promise<void> {
  await sendReply(database, owner, item, body);
}

const rowOf = async ({ item }: Pick<Leaving, 'item'>) => {
  const [row] = await database.query<{ address: string; is_proved: boolean; waits: boolean }>(
    `select address, proved_at is not null as is_proved, reply_id is not null as waits
       from internal.finder_addresses
       where conversation_id in (select id from public.conversations where item_id = $1)`,
    [item.id],
  );
  return row ?? null;
};

test.each([true, false])(
  'a finder gets an email about a reply and reads it on another device, with a script: %s',
  async (javaScriptEnabled) => {
    const item = await createItem(database, owner, { itemName: 'Canary backpack', noteToFinders: 'Canary note' });
    const email = aFinder();
    const visit = await openBrowser();
    await visit(
      async ({ page }) => {
        await page.goto(`${web.url}/item/${item.qrId}`);
        await expectPage(page.getByRole('link', { name: 'Email me about replies' })).toBeHidden();
        await page.getByLabel('Your message').fill('Finder’s canary words');
        await page.getByRole('button', { name: 'Send Message' }).click();
        await page.getByRole('link', { name: 'Email me about replies' }).click();
        await page.getByLabel('Your email').fill(email);
        await page.getByRole('button', { name: 'Email me' }).click();
        await expectPage(page.getByText('Check your email')).toBeVisible();
      },
      { javaScriptEnabled },
    );
    await sendFinderEmails(database);
    const confirm = linkTo(email, 'confirm');
    await visit(
      async ({ page }) => {
        await page.goto(web.url + confirm);
        expect(await rowOf({ item })).toMatchObject({ is_proved: false });
        await page.getByRole('button', { name: 'Yes, email me' }).click();
        await expectPage(page.getByRole('heading', { name: 'We’ll email you when there’s a reply' })).toBeVisible();
      },
      { javaScriptEnabled },
    );
    await reply(item, 'Where are you?');
    await sendFinderEmails(database);
    expect(noticesTo(email)).toBe(1);
    await visit(
      async ({ page }) => {
        await page.goto(web.url + linkTo(email, 'open'));
        await expectPage(page).toHaveURL(`${web.url}/item/${item.qrId}#conversation`);
        await expectPage(page.getByRole('log')).toContainText('Where are you?');
        // It can be removed from the page, too.
        await page.getByRole('link', { name: 'Email me about replies' }).click();
        await page.getByRole('button', { name: 'Remove my email' }).click();
        await expectPage(page.getByText('We removed your email')).toBeVisible();
      },
      { javaScriptEnabled },
    );
    expect(await rowOf({ item })).toBeNull();
  },
);

test('emails to a finder contain nothing of the owner, the item, or what was written, and can be ended in a mail client', async () => {
  const { item, email } = await aProvedFinder();
  await reply(item);
  await sendFinderEmails(database);
  const mails = mailsTo(email);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Confirm your email to get replies about the item you found',
    'New reply about the item you found',
  ]);
  for (const { raw, text, html, subject, headers } of mails) {
    const everything = `${raw}\n${subject}\n${text}\n${html}`;
    for (const secret of ['Dana', 'anary', 'backpack', owner.email, owner.phone, owner.id, item.id, item.qrId]) {
      expect(everything).not.toContain(secret);
    }
    const headerOf = (name: string) => headers.find(({ key }) => key === name)?.value;
    expect(headerOf('list-unsubscribe')).toMatch(/^<https?:\/\/\S+\/replies\/stop\/[\w-]{64}>$/);
    expect(headerOf('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  }
});

test('programs that open every link prove, open, and remove nothing', async () => {
  const conversation = await aConversation();
  const email = aFinder();
  await leave(conversation, email);
  await sendFinderEmails(database);
  for (const purpose of ['confirm', 'stop'] as const) {
    for (const method of ['GET', 'HEAD', 'GET']) {
      const opened = await web.request(linkTo(email, purpose), { method });
      expect([opened.status, opened.headers.get('set-cookie')]).toEqual([200, null]);
    }
  }
  expect(await rowOf(conversation)).toMatchObject({ is_proved: false });
  const foreign = await postForm(web, linkTo(email, 'confirm'), {}, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
  expect(foreign.status).toBe(403);
  expect(await rowOf(conversation)).toMatchObject({ is_proved: false });

  // A second press of the button, and a second visit, find it proved.
  for (let press = 0; press < 2; press += 1)
    expect((await postForm(web, linkTo(email, 'confirm'), {})).status).toBe(303);
  const { html } = await readDocument(await web.request(linkTo(email, 'confirm')));
  expect(html).toContain('We’ll email you when there’s a reply');
  expect(html).not.toContain('Yes, email me');

  await reply(conversation.item);
  await sendFinderEmails(database);
  // A link that another site opened waits for a button, like any private link.
  const opened = await web.request(linkTo(email, 'open'), { headers: { 'Sec-Fetch-Site': 'cross-site' } });
  expect([opened.status, opened.headers.get('referrer-policy')]).toEqual([303, 'no-referrer']);
  const waiting = await web.request(opened.headers.get('location') ?? '', {
    headers: { 'Sec-Fetch-Site': 'cross-site' },
  });
  expect([waiting.status, waiting.headers.get('set-cookie')]).toEqual([200, null]);
  expect(await rowOf(conversation)).toMatchObject({ waits: true });
  expect(web.logged.join()).not.toContain(email);
  expect(web.logged.join()).not.toContain(linkTo(email, 'open').split('/').at(-1));
});

test('a link works for its purpose and its address alone, until it expires or the address is replaced', async () => {
  const conversation = await aConversation();
  const email = aFinder();
  await leave(conversation, email);
  await sendFinderEmails(database);
  const confirm = linkTo(email, 'confirm');
  const token = confirm.split('/').at(-1) ?? '';
  const changed = `${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}`;
  for (const path of [
    `/replies/confirm/${changed}`,
    `/replies/confirm/${token.slice(1)}`,
    `/replies/confirm/${'A'.repeat(64)}`,
    linkTo(email, 'stop').replace('stop', 'confirm'),
    `/replies/stop/${token}`,
  ]) {
    const refused = await readDocument(await web.request(path));
    expect([path, refused.status]).toEqual([path, 404]);
    expect(refused.html).toContain('This link no longer works');
    expect((await postForm(web, path, {})).status).toBe(404);
  }
  // Nothing was proved, so no link opens the conversation.
  expect((await web.request(`/replies/open/${token}`)).status).toBe(404);
  expect(await rowOf(conversation)).toMatchObject({ address: email, is_proved: false });

  // The same address again keeps its links; another one ends them.
  await leave(conversation, email);
  await sendFinderEmails(database);
  expect(linkTo(email, 'confirm')).toBe(confirm);
  const another = aFinder();
  await leave(conversation, another);
  await sendFinderEmails(database);
  await postForm(web, confirm, {});
  expect((await web.request(confirm)).status).toBe(404);
  expect(await rowOf(conversation)).toMatchObject({ address: another, is_proved: false });

  await database.query("update internal.finder_addresses set expires_at = now() - interval '1 s' where address = $1", [
    another,
  ]);
  await postForm(web, linkTo(another, 'confirm'), {});
  expect((await web.request(linkTo(another, 'confirm'))).status).toBe(404);
  expect(await rowOf(conversation)).toMatchObject({ is_proved: false });
  const { html } = await readDocument(
    await web.request(`/item/${conversation.item.qrId}/email`, { headers: { Cookie: conversation.cookie } }),
  );
  expect(html).not.toContain('Check your email');
});

test('replies send one email until the finder has looked at the conversation', async () => {
  const finder = await aProvedFinder();
  const { item, email } = finder;
  await reply(item, 'First');
  await sendFinderEmails(database);
  await reply(item, 'Second');
  await sendFinderEmails(database);
  expect(noticesTo(email)).toBe(1);
  // The page shows both, also where its script reads them.
  await look(finder);
  await reply(item, 'Third');
  await sendFinderEmails(database);
  expect(noticesTo(email)).toBe(2);
  await web.request(`/item/${item.qrId}/conversation`, { headers: { Cookie: finder.cookie } });
  expect(await rowOf(finder)).toMatchObject({ waits: false });
  // Whoever looks within the minute is sent none.
  await reply(item, 'Fourth');
  await look(finder);
  await sendFinderEmails(database);
  expect(noticesTo(email)).toBe(2);
});

test('a reply that comes while the finder looks is announced all the same', async () => {
  const finder = await aProvedFinder();
  const { item, email } = finder;
  await reply(item, 'First');
  const shown = await database.query<{ id: string; conversation_id: string }>(
    'select id, conversation_id from public.messages where item_id = $1',
    [item.id],
  );
  await sendFinderEmails(database);
  await reply(item, 'After the page was read');
  await database.query('select internal.look_at_conversation($1, $2)', [
    shown[0]?.conversation_id,
    shown.map(({ id }) => id),
  ]);
  await sendFinderEmails(database);
  expect(noticesTo(email)).toBe(2);
});

test('a reply between the address and its proof is announced once the address is proved', async () => {
  const conversation = await aConversation();
  const email = aFinder();
  await leave(conversation, email);
  await reply(conversation.item);
  await sendFinderEmails(database);
  expect(mailsTo(email)).toHaveLength(1);
  await postForm(web, linkTo(email, 'confirm'), {});
  await sendFinderEmails(database);
  expect(noticesTo(email)).toBe(1);
});

test('a mail client’s own button removes the address, without a cookie, and no email follows', async () => {
  const finder = await aProvedFinder();
  await reply(finder.item, 'First');
  await sendFinderEmails(database);
  const stop = linkTo(finder.email, 'stop');
  const posted = await web.request(stop, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(posted.status).toBe(200);
  expect(await rowOf(finder)).toBeNull();
  await look(finder);
  await reply(finder.item, 'Second');
  await sendFinderEmails(database);
  expect(noticesTo(finder.email)).toBe(1);
  expect(await tablesWith(database, finder.email)).toEqual([]);
  // The links of earlier emails are dead, and a second press harms nothing.
  expect((await web.request(linkTo(finder.email, 'open'))).status).toBe(404);
  expect((await postForm(web, stop, {})).status).toBe(200);
});

test('the owner never learns the address: not by the API, the export, or the return code', async () => {
  const registered = await registerOwner({ ...web, delivery: { ...web.delivery, hasSms: true } });
  const { client, user } = registered;
  const qrId = createTagCode();
  const { data: item } = await client
    .from('items')
    .insert({ qr_id: qrId, user_id: user.id, item_type: 'keys', item_name: 'Keys' })
    .select()
    .single();
  const sent = await postForm(web, `/item/${qrId}/message`, { body: 'Found' });
  const finder = { item: { id: item.id, qrId }, cookie: cookieOf(sent) };
  const email = 'canary-of-the-finder@example.net';
  await leave(finder, email);
  await sendFinderEmails(database);
  await postForm(web, linkTo(email, 'confirm'), {});
  expect(await tablesWith(database, 'canary-of-the-finder')).toEqual(['internal.finder_addresses']);

  const seen: unknown[] = [];
  for (const table of ['items', 'conversations', 'messages', 'channel_openings', 'profiles', 'qr_codes']) {
    seen.push((await client.from(table).select()).data);
  }
  for (const table of ['finder_addresses', 'internal.finder_addresses']) {
    expect((await client.from(table).select()).error).not.toBeNull();
  }
  expect((await client.schema('internal').from('finder_addresses').select()).error).not.toBeNull();
  seen.push((await client.rpc('export_my_data')).data);
  const codes = (await client.rpc('list_return_codes', { item_id_param: item.id })).data;
  seen.push(codes);
  // With the return code the owner opens the finder's pages.
  const entered = await postForm(web, `/item/${qrId}/back`, { return_code: codes[0].return_code });
  for (const path of ['', '/conversation', '/email']) {
    const shown = await web.request(`/item/${qrId}${path}`, { headers: { Cookie: cookieOf(entered) } });
    expect(shown.status).toBe(200);
    seen.push((await readDocument(shown)).everything);
  }
  expect(JSON.stringify(seen)).toContain('Found');
  expect(JSON.stringify(seen)).not.toContain('canary-of-the-finder');

  // It goes with the conversation.
  expect((await client.from('conversations').delete().eq('item_id', item.id)).error).toBeNull();
  expect(await tablesWith(database, 'canary-of-the-finder')).toEqual([]);
  expect((await web.request(linkTo(email, 'confirm'))).status).toBe(404);
});

test('strangers cannot be mailed at will: each address, conversation, and recipient has few', async () => {
  const stranger = aFinder();
  // Of a recipient, the response says nothing.
  for (let sent = 0; sent < 6; sent += 1) {
    const left = await leave(await aConversation(), stranger);
    expect([left.status, left.headers.get('location')?.endsWith('/email')]).toEqual([303, true]);
    await sendFinderEmails(database);
  }
  expect(mailsTo(stranger)).toHaveLength(5);
  // One that is confirmed does not count.
  await postForm(web, linkTo(stranger, 'confirm'), {});
  await leave(await aConversation(), stranger);
  await sendFinderEmails(database);
  expect(mailsTo(stranger)).toHaveLength(6);

  const conversation = await aConversation();
  const statuses = [];
  for (let at = 0; at < 6; at += 1) statuses.push((await leave(conversation, aFinder())).status);
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);

  const address = anAddress();
  const conversations = [await aConversation(), await aConversation(), await aConversation()];
  for (let at = 0; at < 10; at += 1) {
    expect((await leave(conversations[at % 3] ?? conversation, aFinder(), address)).status).toBe(303);
  }
  const refused = await leave(await aConversation(), aFinder(), address);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600);
});

test('what is no address, another site’s form, and a browser without the conversation store nothing', async () => {
  const conversation = await aConversation();
  const { item, cookie } = conversation;
  const wrong = await readDocument(await leave(conversation, 'not <an> address'));
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain('Enter a complete email address.');
  expect(wrong.html).toContain('aria-describedby="reply-email-error reply-email-hint"');
  expect(wrong.html).toContain('not &lt;an&gt; address');
  const foreign = await postForm(
    web,
    `/item/${item.qrId}/email`,
    { email: aFinder() },
    { headers: { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' } },
  );
  expect(foreign.status).toBe(403);
  const without = await leave({ item, cookie: '' }, aFinder());
  expect([without.status, without.headers.get('location')]).toEqual([303, `/item/${item.qrId}`]);
  expect((await web.request(`/item/${item.qrId}/email`)).headers.get('location')).toBe(`/item/${item.qrId}`);
  expect((await postForm(web, `/item/${createTagCode()}/email`, { email: aFinder() })).status).toBe(404);
  expect(await rowOf(conversation)).toBeNull();
});

test('a reply in a muted, blocked, or returned conversation is announced all the same; one behind a void code is not', async () => {
  for (const [change, notices] of [
    ['update public.conversations set muted_at = now() where item_id = $1', 1],
    ['update public.conversations set blocked_at = now() where item_id = $1', 1],
    ['update public.conversations set returned_at = now() where item_id = $1', 1],
  ] as const) {
    const finder = await aProvedFinder();
    await actAs(database, owner.caller, (client) => client.query(change, [finder.item.id]));
    await sendFinderEmails(database);
    expect(noticesTo(finder.email), change).toBe(0);
    await reply(finder.item);
    await sendFinderEmails(database);
    expect(noticesTo(finder.email), change).toBe(notices);
  }
  const finder = await aProvedFinder();
  await database.query("update public.qr_codes set voided_at = now(), void_reason = 'Stolen' where qr_id = $1", [
    finder.item.qrId,
  ]);
  await reply(finder.item);
  await sendFinderEmails(database);
  expect(noticesTo(finder.email)).toBe(0);
  // A later one is announced when the code is restored.
  await database.query('update public.qr_codes set voided_at = null, void_reason = null where qr_id = $1', [
    finder.item.qrId,
  ]);
  await reply(finder.item, 'Restored');
  await sendFinderEmails(database);
  expect(noticesTo(finder.email)).toBe(1);
});

test('who reads a conversation by the API does not learn whether its finder has looked', async () => {
  const finder = await aProvedFinder();
  await reply(finder.item);
  const [, key = ''] = finder.cookie.split('=');
  const read = async () => {
    const params = { qr_id_param: finder.item.qrId, finder_key_param: decodeURIComponent(key).split(/[.,~ ]/)[0] };
    const { data, error } = await web.client().rpc('read_conversation', params);
    expect(error).toBeNull();
    expect(data).not.toBeNull();
    return data;
  };
  const before = await read();
  await look(finder);
  expect(await rowOf(finder)).toMatchObject({ waits: false });
  expect(await read()).toEqual(before);
});

test('an item that changes hands takes no address with it, and its links end', async () => {
  const conversation = await aProvedFinder();
  const open = linkTo(conversation.email, 'stop').replace('/stop/', '/open/');
  await reply(conversation.item);
  const receiver = await createOwner(database);
  await database.query('select internal.move_item($1, $2)', [conversation.item.id, receiver.id]);
  expect(await rowOf(conversation)).toBeNull();
  await sendFinderEmails(database);
  expect(noticesTo(conversation.email)).toBe(0);
  expect((await web.request(open)).status).toBe(404);
});
