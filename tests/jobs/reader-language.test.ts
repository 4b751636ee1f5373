import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ACCOUNT_CHANGE_KINDS } from '#domain/account/account-changes.ts';
import { createSmtpDelivery } from '#server/delivery/email/smtp-delivery.ts';
import { sendAccountMail } from '#server/jobs/account/send-account-mail.ts';
import { sendChangeNotice } from '#server/jobs/account/send-change-notice.ts';
import { sendMessageDigest } from '#server/jobs/owner/message-digest.ts';
import { sendOfferMail } from '#server/jobs/owner/send-offer-mail.ts';
import { sendVoidMail } from '#server/jobs/owner/send-void-mail.ts';
import { notifyOfUnseen } from '#server/jobs/owner/unseen/notify-of-unseen.ts';
import { inviteSecondContact } from '#server/jobs/second-contact/invite-second-contact.ts';
import { notifySecondContact } from '#server/jobs/second-contact/notify-second-contact.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { VISITOR } from '#server/postgres/caller.ts';
import { actAs } from '#tests/support/act-as.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createNoticeAddress } from '#tests/support/factories/create-notice-address.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createPushSubscription } from '#tests/support/factories/create-push-subscription.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { latinWords } from '#tests/support/foreign-words.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { startNoticeReceiver } from '#tests/support/notice-receiver.ts';
import { startPushService } from '#tests/support/push-service.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { letTimePass } from '#tests/support/unseen-notices.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const mailServer = await startMailServer();
const smtp = createSmtpDelivery({ url: `smtp://127.0.0.1:${mailServer.port}`, from: 'Reunite <hello@example.org>' });
const caught = catchDelivery();
const delivery = { ...caught, sendEmail: smtp.sendEmail };
const pushService = await startPushService();
const push = pushService.createSender();
const receiver = await startNoticeReceiver();
const made = dependenciesForJobs(database.address, delivery, [], { push, outbound: receiver.outbound });
const needs = { ...made, config: { ...made.config, smsCountries: new Set(['IL', 'US'] as const) } };
const jobs = await startJobs(needs);
whenDone(async () => {
  await jobs.stop();
  await needs.database.close();
  await mailServer.close();
});

/** As the app does when its owner chooses a language. */
const setLanguage = ({ caller, id }: TestOwner, language: string) =>
  actAs(database, caller, (client) =>
    client.query('update public.profiles set language = $2 where id = $1', [id, language]),
  );

async function anOwner(language: string | null, fullName = 'דנה לוי') {
  const owner = await createOwner(database, { fullName, phone: aPhone() });
  await database.query("update auth.users set phone = ltrim($2, '+'), phone_confirmed_at = now() where id = $1", [
    owner.id,
    owner.phone,
  ]);
  if (language !== null) await setLanguage(owner, language);
  return owner;
}

const mailsTo = (address: string) =>
  mailServer.arrived.filter(({ recipients }) => recipients.includes(address)).map(({ mail }) => mail);
const textsTo = (number: string) => caught.texts.filter(({ to }) => to === number).map(({ text }) => text);
const headOf = ({ html = '' }: { readonly html?: string | undefined }) => /<html[^>]*>/.exec(html)?.[0];

/** Everything that is mailed and texted to an owner. */
async function sendEverythingTo(owner: TestOwner): Promise<void> {
  const item = await createItem(database, owner, { itemName: 'האופניים שלי' });
  const messageId = await sendMessage(database, item, '鍵を見つけました');
  await letTimePass(database, item, '2 days');
  const [message] = await database.query<{ conversation: string; day: string }>(
    "select conversation_id as conversation, to_char(created_at, 'YYYY-MM-DD') as day from public.messages where id = $1",
    [messageId],
  );
  const conversation_id = message?.conversation ?? '';
  await database.query('insert into public.notice_settings (user_id, sms) values ($1, true)', [owner.id]);
  await notifyOfUnseen(needs, { step: 'sms', conversation_id });
  await notifyOfUnseen(needs, { step: 'reminder', conversation_id });
  await sendMessageDigest(needs, { item_id: item.id, day: message?.day ?? '' });
  for (const kind of ACCOUNT_CHANGE_KINDS) {
    for (const about of ['new@example.org', null]) {
      // The first address of an account, and a changed one, are announced elsewhere.
      if (about !== null && (kind === 'email_changed' || kind === 'phone_changed')) continue;
      await sendChangeNotice(needs, {
        ...{ id: randomUUID(), kind, user_id: owner.id, session_id: null, at: new Date().toISOString() },
        about: kind === 'contact_number_changed' && about !== null ? '+15550100' : about,
      });
    }
  }
  await sendAccountMail(needs, { id: randomUUID(), kind: 'address_lost', user_id: owner.id });
  await database.query('select public.void_code($1, $2, true)', [item.qrId, 'נגנב']);
  await sendVoidMail(needs, [{ id: randomUUID(), owner_id: owner.id, qr_ids: [item.qrId] }]);
  const other = await createOwner(database);
  const [offer] = await database.query<{ id: string }>(
    'insert into public.item_offers (giver_id, item_id, email, accepted_at) values ($1, $2, $3, now()) returning id',
    [owner.id, item.id, other.email],
  );
  await sendOfferMail(needs, { about: 'acceptance', offer_id: offer?.id ?? '' });
}

test('an owner who reads Hebrew gets no email or SMS with a word of another language', async () => {
  const owner = await anOwner('he');
  await sendEverythingTo(owner);
  const [mails, texts] = [mailsTo(owner.email), textsTo(owner.phone)];
  expect(mails.length).toBeGreaterThan(ACCOUNT_CHANGE_KINDS.length);
  for (const mail of mails) {
    expect(headOf(mail)).toBe('<html lang="he" dir="rtl">');
    expect(latinWords(`${mail.subject}\n${mail.text}`)).toEqual([]);
    expect(mail.subject).toMatch(/\p{Script=Hebrew}/u);
  }
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) expect(latinWords(text)).toEqual([]);
});

/** What a tap on “I have it” says in Hebrew. */
const HAVE_IT = 'זה אצלי';

test('a push and a notification of ntfy are in their owner’s language, and so is what a Japanese finder tapped', async () => {
  const owner = await anOwner('he');
  const browser = pushService.subscribe(push.publicKey);
  const { id } = await createPushSubscription(database, owner, browser, push.publicKey);
  await database.query('update public.push_subscriptions set shows_text = true where id = $1', [id]);
  await createNoticeAddress(database, owner, { kind: 'ntfy', url: `${receiver.http}/hebrew`, showsText: true });
  const item = await createItem(database, owner, { itemName: 'האופניים שלי' });
  await actAs(database, VISITOR, (client) =>
    client.query("select public.send_message($1, '', kind_param => 'have_it', language_param => 'ja')", [item.qrId]),
  );
  await expect.poll(() => [browser.arrived.length, receiver.arrivedAt('/hebrew').length]).toEqual([1, 1]);
  expect(browser.arrived[0]?.payload).toMatchObject({
    notification: {
      title: expect.stringContaining('האופניים שלי'),
      body: HAVE_IT,
      lang: 'he',
      dir: 'rtl',
    },
  });
  const [notification] = receiver.arrivedAt('/hebrew');
  expect(notification?.body).toBe(HAVE_IT);
  const [mail] = mailsTo(owner.email);
  expect(mail?.text).toContain(`> ${HAVE_IT}`);
  expect(latinWords(`${mail?.subject} ${mail?.text}`)).toEqual([]);
});

interface Pushed {
  readonly notification: { readonly title: string; readonly body: string };
}

/** What would reorder the text around it, and is not closed. */
const OVERRIDES = '\u202Egpj.exe\u202D\u2067\u2066';

test.each(['he', 'en'])(
  'names with overrides of direction reorder nothing in a subject or a title in %s',
  async (tag) => {
    const owner = await anOwner(tag, `Dana${OVERRIDES}`);
    const browser = pushService.subscribe(push.publicKey);
    const { id } = await createPushSubscription(database, owner, browser, push.publicKey);
    await database.query('update public.push_subscriptions set shows_text = true where id = $1', [id]);
    const item = await createItem(database, owner, { itemName: `Bag${OVERRIDES}` });
    await sendMessage(database, item, `Found${OVERRIDES}`);
    await expect.poll(() => [browser.arrived.length, mailsTo(owner.email).length]).toEqual([1, 1]);
    const [pushed] = browser.arrived;
    const { title, body } = (pushed?.payload as Pushed | undefined)?.notification ?? {};
    const [mail] = mailsTo(owner.email);
    for (const text of [title, body, mail?.subject, mail?.text]) {
      expect(text).toContain('gpj.exe');
      expect(text).not.toMatch(/[\u202A-\u202E\u2066\u2067]/);
      // Each isolate of ours ends.
      expect(text?.match(/\u2068/g)?.length).toBe(text?.match(/\u2069/g)?.length);
    }
  },
);

async function aContact(owner: TestOwner, language: string | null, address = anEmail()) {
  const item = await createItem(database, owner, { itemName: 'האופניים שלי' });
  const [contact] = await database.query<{ id: string }>(
    `insert into public.second_contacts (owner_id, email, phone, for_all, language) values ($1, $2, $3, true, $4) returning id`,
    [owner.id, ...(address.includes('@') ? [address, null] : [null, address]), language],
  );
  const contact_id = contact?.id ?? '';
  await inviteSecondContact(needs, { contact_id });
  await database.query('update public.second_contacts set agreed_at = now() where id = $1', [contact_id]);
  const messageId = await sendMessage(database, item, 'Found it');
  await letTimePass(database, item, '1 day');
  const [message] = await database.query<{ conversation: string }>(
    'select conversation_id as conversation from public.messages where id = $1',
    [messageId],
  );
  await notifySecondContact(needs, { contact_id, conversation_id: message?.conversation ?? '' });
  return { address, contact_id };
}

test.each([
  ['th', 'he', '<html lang="th" dir="ltr">', /\p{Script=Thai}/u],
  [null, 'he', '<html lang="he" dir="rtl">', /\p{Script=Hebrew}/u],
  ['fa', null, '<html lang="fa" dir="rtl">', /\p{Script=Arabic}/u],
])('a second contact whose language is %s, of an owner whose is %s, gets %s', async (own, owners, head, script) => {
  const owner = await anOwner(owners);
  const { address } = await aContact(owner, own);
  const { address: number } = await aContact(owner, own, aPhone());
  const [mails, texts] = [mailsTo(address), textsTo(number)];
  expect(Math.min(mails.length, texts.length)).toBeGreaterThan(1);
  for (const mail of mails) {
    expect(headOf(mail)).toBe(head);
    expect(mail.subject).toMatch(script);
    expect(latinWords(`${mail.subject} ${mail.text}`)).toEqual([]);
  }
  for (const text of texts) {
    expect(text).toMatch(script);
    expect(latinWords(text)).toEqual([]);
  }
});

test.each([
  ['ja', 'he', '<html lang="ja" dir="ltr">'],
  [null, 'he', '<html lang="he" dir="rtl">'],
])(
  'who is offered an item is written to in the language of their account (%s), else the giver’s (%s)',
  async (own, givers, head) => {
    const [giver, reader] = [await anOwner(givers), await anOwner(own)];
    const item = await createItem(database, giver, { itemName: 'האופניים שלי' });
    const [offer] = await database.query<{ id: string }>(
      'insert into public.item_offers (giver_id, item_id, email) values ($1, $2, $3) returning id',
      [giver.id, item.id, reader.email],
    );
    await sendOfferMail(needs, { about: 'offer', offer_id: offer?.id ?? '' });
    const [mail] = mailsTo(reader.email);
    expect(headOf(mail ?? {})).toBe(head);
    expect(latinWords(`${mail?.subject} ${mail?.text}`)).toEqual([]);
  },
);

test.each([
  ['pt-PT', 'pt-BR'],
  ['zh-Hant', 'zh-Hans'],
  ['ko', 'en'],
  ['xx', 'en'],
])(
  'an owner whose stored language is %s, which owners’ letters are not in, is written to in %s',
  async (stored, read) => {
    const owner = await anOwner(stored);
    await sendChangeNotice(needs, {
      ...{ id: randomUUID(), kind: 'password_changed', user_id: owner.id, session_id: null, about: null },
      at: new Date().toISOString(),
    });
    expect(headOf(mailsTo(owner.email)[0] ?? {})).toBe(`<html lang="${read}" dir="ltr">`);
  },
);

test('no account can store what is no tag of a language', async () => {
  const owner = await anOwner('he');
  for (const hostile of [
    '',
    'HE',
    'he"><script>',
    '../../en',
    '__proto__',
    'constructor',
    'he\r\nBcc: x',
    'x'.repeat(9_999),
  ]) {
    await expect(setLanguage(owner, hostile), hostile).rejects.toMatchObject({ code: '23514' });
  }
  const [stored] = await database.query('select language from public.profiles where id = $1', [owner.id]);
  expect(stored).toEqual({ language: 'he' });
});
