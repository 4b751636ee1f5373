import { afterEach, describe, expect, test } from 'vitest';
import { createSmtpDelivery } from '#server/delivery/email/smtp-delivery.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { VISITOR } from '#server/postgres/caller.ts';
import { actAs } from '#tests/support/act-as.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createNoticeAddress } from '#tests/support/factories/create-notice-address.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createPushSubscription } from '#tests/support/factories/create-push-subscription.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { startNoticeReceiver } from '#tests/support/notice-receiver.ts';
import { startPushService } from '#tests/support/push-service.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { letTimePass, stepsOf } from '#tests/support/unseen-notices.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const mailServer = await startMailServer();
const pushService = await startPushService();
const receiver = await startNoticeReceiver();
const push = pushService.createSender();
const caught = catchDelivery();
const smtp = createSmtpDelivery({ url: `smtp://127.0.0.1:${mailServer.port}`, from: 'Reunite <hello@example.org>' });
const delivery = { ...caught, sendEmail: smtp.sendEmail };
const made = dependenciesForJobs(database.address, delivery, [], { push, outbound: receiver.outbound });
const dependencies = { ...made, config: { ...made.config, smsCountries: new Set(['IL', 'US'] as const) } };
const jobs = await startJobs(dependencies);
whenDone(async () => {
  await jobs.stop();
  await dependencies.database.close();
  await mailServer.close();
});
afterEach(() => {
  mailServer.refusal = undefined;
  mailServer.recipientRefusal = undefined;
});

const EVENTS = ['has', 'first', 'more'] as const;
type Event = (typeof EVENTS)[number];

/** An owner whom a browser, a webhook, and an address reach, by each of which they are told of no `event`. */
async function createListener(unwanted: Event | null) {
  const owner = await createOwner(database, { phone: aPhone() });
  await database.query('update auth.users set phone = $2, phone_confirmed_at = now() where id = $1', [
    owner.id,
    owner.phone.slice(1),
  ]);
  const item = await createItem(database, owner, { itemName: 'Keys' });
  const browser = pushService.subscribe(push.publicKey);
  await createPushSubscription(database, owner, browser, push.publicKey);
  const path = `/${owner.id}`;
  const id = await createNoticeAddress(database, owner, { kind: 'webhook', url: `${receiver.https}${path}` });
  await database.query('insert into public.notice_settings (user_id, sms) values ($1, true)', [owner.id]);
  if (unwanted !== null) {
    await database.query(
      `update public.notice_settings set email_${unwanted} = false, push_${unwanted} = false, sms_${unwanted} = false
        where user_id = $1`,
      [owner.id],
    );
    await database.query(`update public.notice_addresses set gets_${unwanted} = false where id = $1`, [id]);
  }
  return { owner, item, browser, path };
}

/** Sends what a finder says, with a key of their own where they say more than one thing. */
async function say(item: TestItem, kind: 'text' | 'have_it', key: string): Promise<void> {
  await actAs(database, VISITOR, (client) =>
    client.query('select public.send_message($1, $2, null, $3, $4)', [
      item.qrId,
      kind === 'text' ? 'Hello' : '',
      key,
      kind,
    ]),
  );
}

const quiet = async () => expect.poll(() => jobsAtHand(database)).toEqual([]);
const mailsTo = ({ email }: TestOwner) => mailServer.arrived.filter(({ recipients }) => recipients.includes(email));
const aKey = () => crypto.randomUUID().replaceAll('-', '').slice(0, 22);

/** How often each way told the owner of what was said. */
async function noticesOf({ owner, browser, path }: Awaited<ReturnType<typeof createListener>>) {
  await quiet();
  return { email: mailsTo(owner).length, push: browser.arrived.length, webhook: receiver.arrivedAt(path).length };
}

describe.each(EVENTS)('without notices of %s', (unwanted) => {
  test.each(EVENTS)('a message of the kind %s reaches the owner as chosen', async (event) => {
    const listener = await createListener(unwanted);
    const key = aKey();
    if (event === 'more') {
      await say(listener.item, 'text', key);
      await quiet();
    }
    const before = await noticesOf(listener);
    await say(listener.item, event === 'has' ? 'have_it' : 'text', key);
    const count = event === unwanted ? 0 : 1;
    // The browser gets every push, so an email about a first message is not sent in its place.
    const after = await noticesOf(listener);
    expect({
      push: after.push - before.push,
      webhook: after.webhook - before.webhook,
    }).toEqual({ push: count, webhook: count });
    // A first word that no device is told of is mailed all the same; a later one is not.
    expect(after.email - before.email).toBe(unwanted === event && event === 'more' ? 0 : 1);
  });
});

test('no email is sent about what a device gets', async () => {
  const listener = await createListener(null);
  await database.query('update public.notice_settings set email_first = false where user_id = $1', [listener.owner.id]);
  await say(listener.item, 'text', aKey());
  expect(await noticesOf(listener)).toEqual({ email: 0, push: 1, webhook: 1 });
  await say(listener.item, 'have_it', aKey());
  expect(await noticesOf(listener)).toEqual({ email: 1, push: 2, webhook: 2 });
});

test.each([
  ['first', 0],
  ['has', 1],
] as const)('an SMS about unseen messages is sent as chosen: without %s', async (unwanted, count) => {
  const { owner, item } = await createListener(unwanted);
  await say(item, 'text', aKey());
  await quiet();
  await letTimePass(database, item, '16 minutes');
  await expect.poll(async () => (await stepsOf(database, item)).map(({ step }) => step)).toEqual(['reminder']);
  expect(caught.texts.filter(({ to }) => to === owner.phone)).toHaveLength(count);
});

/** Asks for a test as the app does, and returns what became of it. */
async function testOf(owner: TestOwner, way: 'email' | 'sms') {
  await actAs(database, { role: 'authenticated', claims: { sub: owner.id, role: 'authenticated' } }, (client) =>
    client.query('select public.send_test_message($1)', [way]),
  );
  await quiet();
  const [result] = await database.query(
    'select outcome, codes from public.test_notices where user_id = $1 and way = $2',
    [owner.id, way],
  );
  return result;
}

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

test('a test says what became of it: sent, refused by the mail server, or not taken', async () => {
  const { owner } = await createListener(null);
  expect(await testOf(owner, 'email')).toEqual({ outcome: 'sent', codes: null });
  expect(mailsTo(owner).map(({ mail }) => mail.subject)).toEqual(['Reunite: Notifications are working']);
  mailServer.refusal = refusal(451, 'try again later');
  expect(await testOf(owner, 'email')).toEqual({ outcome: 'failed', codes: expect.stringMatching(/\b451$/) });
  mailServer.refusal = undefined;
  mailServer.recipientRefusal = refusal(550, '5.1.1 No such user');
  expect(await testOf(owner, 'email')).toEqual({ outcome: 'refused', codes: expect.stringMatching(/\b550$/) });
  mailServer.recipientRefusal = undefined;
  expect(await testOf(owner, 'sms')).toEqual({ outcome: 'sent', codes: null });
  expect(caught.texts.filter(({ to }) => to === owner.phone)).toHaveLength(1);
  // Nothing is tried again by itself.
  expect(mailsTo(owner)).toHaveLength(1);
});
