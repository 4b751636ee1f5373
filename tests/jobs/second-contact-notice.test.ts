import { expect, test } from 'vitest';
import type { Email } from '#server/delivery/delivery.ts';
import { openSentKeys, rememberSentMails } from '#server/delivery/sent-keys.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { letTimePass } from '#tests/support/unseen-notices.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const directory = await temporaryFolder();
const logged: string[] = [];
/** Each try to send. */
const handed: Email[] = [];
let isDown = false;
// Two servers on one queue.
const [{ limits }] = [await serve(), await serve()];

async function serve() {
  const sent = await openSentKeys({ directory, log: quietLog, now: Date.now });
  const delivery = rememberSentMails(
    {
      ...catchDelivery(),
      async sendEmail(email) {
        if (isDown) throw new Error(`550 ${email.to} ${email.text}`);
        handed.push(email);
      },
    },
    sent,
  );
  const dependencies = dependenciesForJobs(database.address, delivery, logged, { sent });
  const jobs = await startJobs(dependencies);
  whenDone(async () => {
    await jobs.stop();
    await dependencies.database.close();
  });
  return dependencies;
}

async function createWatched() {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const friend = anEmail();
  const [contact] = await database.query<{ id: string }>(
    `insert into public.second_contacts (owner_id, email, for_all, agreed_at) values ($1, $2, true, now()) returning id`,
    [owner.id, friend],
  );
  return { item, friend, contact: contact?.id ?? '' };
}

function noticesTo(friend: string) {
  return handed.filter(({ to }) => to === friend);
}

const WAITING = `select last_error as error from graphile_worker.jobs as jobs
  join public.conversations as conversation on jobs.key like 'notify_second_contact:%:' || conversation.id
  where item_id = $1`;

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

test('a contact gets ten notices a day', async () => {
  const { item, friend, contact } = await createWatched();
  for (let count = 0; count < 10; count += 1) await limits.take('contact_notices_per_contact', contact);
  await sendMessage(database, item);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => database.query(WAITING, [item.id])).toEqual([]);
  expect(noticesTo(friend)).toEqual([]);
});
