import { expect, test } from 'vitest';
import type { Email, Sms } from '#server/delivery/delivery.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { letTimePass } from '#tests/support/unseen-notices.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const logged: string[] = [];
/** Each try to send. */
const handed: Email[] = [];
const texts: Sms[] = [];
let isDown = false;
// Two servers on one queue.
const [{ limits }] = [await serve(), await serve()];

async function serve() {
  const delivery = {
    ...catchDelivery(),
    async sendEmail(email: Email) {
      if (isDown) throw new Error(`550 ${email.to} ${email.text}`);
      handed.push(email);
    },
    async sendSms(sms: Sms) {
      texts.push(sms);
    },
  };
  const dependencies = dependenciesForJobs(database.address, delivery, logged);
  const jobs = await startJobs(dependencies);
  whenDone(async () => {
    await jobs.stop();
    await dependencies.database.close();
  });
  return dependencies;
}

/** An owner with an item and a second contact, whose address is an email or a number. */
async function createWatched(friend = anEmail(), itemName = 'Keys') {
  const owner = await createOwner(database);
  const item = await createItem(database, owner, { itemName });
  const [contact] = await database.query<{ id: string }>(
    `insert into public.second_contacts (owner_id, ${friend.includes('@') ? 'email' : 'phone'}, for_all, agreed_at)
       values ($1, $2, true, now()) returning id`,
    [owner.id, friend],
  );
  return { owner, item, friend, contact: contact?.id ?? '' };
}

function noticesTo(friend: string) {
  return handed.filter(({ to }) => to === friend);
}

const WAITING = `select last_error as error from graphile_worker.jobs as jobs
  join public.conversations as conversation on jobs.key like 'notify_second_contact:%:' || conversation.id
  where item_id = $1`;

test('an item without a name of its own is something of its owner’s, in a notice and in a digest', async () => {
  const { owner, item, friend, contact } = await createWatched(anEmail(), 'My Tagged Item');
  await database.query(`update public.profiles set full_name = 'Dana Levi' where id = $1`, [owner.id]);
  await sendMessage(database, item, 'Found it');
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => noticesTo(friend)).toHaveLength(1);
  expect(noticesTo(friend)[0]?.text).toContain('Someone wrote about something of Dana’s more than an hour ago.');

  await useUpNotices(contact);
  await sendMessage(database, item, 'Found another');
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => digestsOf(contact)).toEqual([60]);
  await digestNow(contact);
  await expect.poll(() => noticesTo(friend)).toHaveLength(2);
  expect(noticesTo(friend)[1]?.text).toContain('Something of Dana’s (1 message)');
  for (const { subject, text, html } of noticesTo(friend)) {
    expect(`${subject} ${text} ${html}`).not.toContain('My Tagged Item');
  }
});

test('a notice that was accepted before a crash is not sent again, and the finder reads of it', async () => {
  const { item, friend, contact } = await createWatched();
  await sendMessage(database, item);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => noticesTo(friend)).toHaveLength(1);
  await expect.poll(() => database.query(WAITING, [item.id])).toEqual([]);
  // As if the crash had come before it was stored.
  await database.query('update internal.contact_links set notified_at = null where contact_id = $1', [contact]);
  await database.query('update public.conversations set contacted_at = null where item_id = $1', [item.id]);
  await database.query(
    'select internal.enqueue_contact_notice($1, id, now()) from public.conversations where item_id = $2',
    [contact, item.id],
  );
  const contacted = 'select contacted_at is not null as yes from public.conversations where item_id = $1';
  await expect.poll(() => database.query(contacted, [item.id])).toEqual([{ yes: true }]);
  expect(noticesTo(friend)).toHaveLength(1);
});

test('a notice that is refused is tried again, and neither log nor queue keep its address', async () => {
  const { item, friend } = await createWatched();
  // The owner's own email first.
  await sendMessage(database, item);
  await expect
    .poll(() => database.query("select from graphile_worker.jobs where task_identifier = 'notify_owner_of_message'"))
    .toEqual([]);
  isDown = true;
  await letTimePass(database, item, '61 minutes');
  const error = 'The email could not be handed to the mail server.';
  await expect.poll(() => database.query(WAITING, [item.id])).toEqual([{ error }]);
  expect(logged.join('')).not.toContain(friend);
  isDown = false;
  await letTimePass(database, item, '1 minute');
  await expect.poll(() => noticesTo(friend)).toHaveLength(1);
});

/** Uses up the notices of a day. */
async function useUpNotices(contact: string): Promise<void> {
  for (let count = 0; count < 10; count += 1) await limits.take('contact_notices_per_contact', contact);
}

/** When the digest of a contact runs, in minutes from now. */
async function digestsOf(contact: string): Promise<number[]> {
  const rows = await database.query<{ minutes: number }>(
    `select round(extract(epoch from run_at - now()) / 60)::integer as minutes from graphile_worker.jobs
       where key = 'send_contact_digest:' || $1`,
    [contact],
  );
  return rows.map(({ minutes }) => minutes);
}

/** Runs the digest of a contact now. */
async function digestNow(contact: string): Promise<void> {
  await database.query(
    `select graphile_worker.reschedule_jobs(array[id], now()) from graphile_worker.jobs
       where key = 'send_contact_digest:' || $1`,
    [contact],
  );
}

const contacted = async ({ id }: { readonly id: string }) =>
  (
    await database.query<{ yes: boolean }>(
      'select contacted_at is not null as yes from public.conversations where item_id = $1',
      [id],
    )
  ).filter(({ yes }) => yes).length;

const linksIn = ({ text }: { readonly text: string }) => text.match(/\/contact\/[\w%-]{22,24}/g) ?? [];

test('beyond ten notices a day a contact gets one digest, with a link to each conversation', async () => {
  const { item, friend, contact } = await createWatched();
  await useUpNotices(contact);
  for (const text of ['One', 'Two', 'Three']) await sendMessage(database, item, text);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => database.query(WAITING, [item.id])).toEqual([]);
  expect(noticesTo(friend)).toEqual([]);
  await expect.poll(() => digestsOf(contact)).toEqual([60]);

  await digestNow(contact);
  await expect.poll(() => noticesTo(friend)).toHaveLength(1);
  const [digest] = noticesTo(friend);
  expect(digest?.subject).toMatch(/^3 more messages to /);
  expect(new Set(digest === undefined ? [] : linksIn(digest)).size).toBe(4);
  expect(digest?.text).not.toMatch(/One|Two|Three/);
  await expect.poll(() => contacted(item)).toBe(3);
  await expect.poll(() => digestsOf(contact)).toEqual([]);

  // The next one waits until a day has passed.
  await sendMessage(database, item, 'Four');
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => digestsOf(contact)).toEqual([60]);
  await digestNow(contact);
  await expect.poll(() => digestsOf(contact)).toEqual([expect.closeTo(24 * 60, -1)]);
  expect(noticesTo(friend)).toHaveLength(1);
});

test('a digest leaves out what was seen, and is not sent where all was', async () => {
  const { item, friend, contact } = await createWatched();
  await useUpNotices(contact);
  for (const text of ['Seen', 'Unseen']) await sendMessage(database, item, text);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => digestsOf(contact)).toEqual([60]);
  await database.query("update public.messages set read_at = now() where item_id = $1 and body = 'Seen'", [item.id]);
  await expect.poll(() => database.query(WAITING, [item.id])).toEqual([]);
  await digestNow(contact);
  await expect.poll(() => noticesTo(friend)).toMatchObject([{ subject: expect.stringMatching(/^1 more message to /) }]);

  const other = await createWatched();
  await useUpNotices(other.contact);
  await sendMessage(database, other.item);
  await letTimePass(database, other.item, '61 minutes');
  await expect.poll(() => digestsOf(other.contact)).toEqual([60]);
  await database.query('update public.conversations set returned_at = now() where item_id = $1', [other.item.id]);
  await digestNow(other.contact);
  await expect.poll(() => digestsOf(other.contact)).toEqual([]);
  expect(noticesTo(other.friend)).toEqual([]);
});

test('a digest waits for the end of the contact’s quiet hours', async () => {
  const { item, friend, contact } = await createWatched();
  await useUpNotices(contact);
  await sendMessage(database, item);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => digestsOf(contact)).toEqual([60]);
  await database.query(
    `update public.second_contacts set time_zone = 'UTC', quiet_from = (clock - interval '1 hour')::time,
       quiet_to = (clock + interval '3 hours')::time from (select now() at time zone 'UTC' as clock) as utc where id = $1`,
    [contact],
  );
  await digestNow(contact);
  await expect.poll(() => digestsOf(contact)).toEqual([expect.closeTo(3 * 60 + 15, -1)]);
  expect(noticesTo(friend)).toEqual([]);
  await database.query(
    'update public.second_contacts set time_zone = null, quiet_from = null, quiet_to = null where id = $1',
    [contact],
  );
  await digestNow(contact);
  await expect.poll(() => noticesTo(friend)).toHaveLength(1);
});

test('of a flood about one item a digest links to twenty conversations, among them that of another item, and the rest follow a day later', async () => {
  const { owner, item, friend, contact } = await createWatched();
  const quiet = await createItem(database, owner, { itemName: 'Spare lens' });
  await useUpNotices(contact);
  for (let count = 0; count < 25; count += 1) await sendMessage(database, item);
  await letTimePass(database, item, '90 minutes');
  await sendMessage(database, quiet);
  await letTimePass(database, quiet, '61 minutes');
  for (const { id } of [item, quiet]) await expect.poll(() => database.query(WAITING, [id])).toEqual([]);
  await digestNow(contact);
  await expect
    .poll(() => noticesTo(friend))
    .toMatchObject([{ subject: expect.stringMatching(/^26 more messages to /) }]);
  expect(noticesTo(friend)[0]?.text).toContain('Spare lens (1 message)');
  expect(noticesTo(friend)[0]?.text).toContain('There’s no room here for 6 of them.');
  await expect.poll(() => digestsOf(contact)).toEqual([expect.closeTo(24 * 60, -1)]);
  expect(await contacted(item)).toBe(19);
  expect(await contacted(quiet)).toBe(1);
});

test('strangers cannot use up the notices of conversations with a reply', async () => {
  const { owner, item, friend, contact } = await createWatched();
  await useUpNotices(contact);
  const key = `key-of-a-finder-${crypto.randomUUID()}`;
  const write = (body: string) =>
    database.query('select public.send_message($1, $2, gen_random_uuid(), $3)', [item.qrId, body, key]);
  await write('Found');
  await database.query(
    `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
       select id, item_id, $2, 'owner', 'Where?' from public.conversations where item_id = $1`,
    [item.id, owner.id],
  );
  await write('Here');
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => noticesTo(friend)).toHaveLength(1);
  expect(await digestsOf(contact)).toEqual([]);
});

const textsTo = (number: string) => texts.filter(({ to }) => to === number);
/** As if the periods of the limits of SMS were over. */
const freeSms = () =>
  database.query("delete from internal.rate_limits where key like 'contact_sms%' or key like 'sms_a_day%'");
const SMS_REFUSED = [{ error: 'The limit of SMS to second contacts (notices) is used up.' }];

test('a digest by SMS counts the messages and links to one, of which the finder reads', async () => {
  const number = '+12025570199';
  const { item, contact } = await createWatched(number);
  await useUpNotices(contact);
  for (const text of ['One', 'Two', 'Three']) await sendMessage(database, item, text);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => digestsOf(contact)).toEqual([60]);
  await expect.poll(() => database.query(WAITING, [item.id])).toEqual([]);
  await digestNow(contact);
  await expect.poll(() => textsTo(number)).toMatchObject([{ text: expect.stringContaining('3 more messages') }]);
  expect(linksIn(texts[0] ?? { text: '' })).toHaveLength(1);
  await expect.poll(() => contacted(item)).toBe(1);
  await expect.poll(() => digestsOf(contact)).toEqual([]);
});

test('notices by SMS to numbers next to each other are limited; invitations do not count, and one beyond waits', async () => {
  const numbers = Array.from({ length: 6 }, (_, index) => `+1202555770${index}`);
  for (let count = 0; count < 5; count += 1) await limits.take('contact_sms_per_number_range', '+1202555');
  const watched = [];
  for (const number of numbers) watched.push({ number, ...(await createWatched(number)) });
  for (const { item } of watched) {
    await sendMessage(database, item);
    await letTimePass(database, item, '61 minutes');
    await expect.poll(() => database.query(WAITING, [item.id])).not.toEqual([{ error: null }]);
  }
  expect(numbers.map((number) => textsTo(number).length)).toEqual([1, 1, 1, 1, 1, 0]);
  const late = watched.at(-1);
  if (late === undefined) throw new Error('There is a number.');
  expect(await database.query(WAITING, [late.item.id])).toEqual(SMS_REFUSED);
  await freeSms();
  await letTimePass(database, late.item, '1 minute');
  await expect.poll(() => textsTo(late.number)).toHaveLength(1);
});

test('the notices by SMS of the whole service are limited', async () => {
  const number = '+12025561234';
  const { item } = await createWatched(number);
  for (let count = 0; count < 1_000; count += 1) await limits.take('sms_a_day', 'all');
  await sendMessage(database, item);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => database.query(WAITING, [item.id])).toEqual(SMS_REFUSED);
  expect(textsTo(number)).toEqual([]);
  await freeSms();
  await letTimePass(database, item, '1 minute');
  await expect.poll(() => textsTo(number)).toHaveLength(1);
});
