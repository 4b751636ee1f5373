import { afterEach, expect, test } from 'vitest';
import { createSmtpDelivery } from '#server/delivery/email/smtp-delivery.ts';
import { NumberRefused } from '#server/delivery/sms/sms-sender.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { JOBS_AT_HAND } from '#tests/support/jobs-at-hand.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const mailServer = await startMailServer();
const smtp = createSmtpDelivery({ url: `smtp://127.0.0.1:${mailServer.port}`, from: 'Reunite <hello@example.org>' });
const logged: string[] = [];
const dependencies = dependenciesForJobs(
  database.address,
  {
    ...catchDelivery(),
    sendEmail: smtp.sendEmail,
    sendSms: () => Promise.reject(new NumberRefused('The provider knows no such number.')),
  },
  logged,
);
const jobs = await startJobs(dependencies);
whenDone(async () => {
  await jobs.stop();
  await dependencies.database.close();
  await mailServer.close();
});
afterEach(() => {
  mailServer.recipientRefusal = undefined;
  mailServer.attempts = 0;
});

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });
const waiting = () => database.query<{ attempts: number }>(`select attempts ${JOBS_AT_HAND}`);

async function isRefused({ id }: { readonly id: string }): Promise<boolean> {
  const [row] = await database.query<{ refused: boolean }>(
    'select email_refused_at is not null as refused from public.profiles where id = $1',
    [id],
  );
  return row?.refused === true;
}

test('a mailbox that is gone gets one attempt a message, and its owner reads of it until it takes mail [K78]', async () => {
  const owner = await createOwner(database);
  const other = await createOwner(database);
  const item = await createItem(database, owner);
  mailServer.recipientRefusal = refusal(550, '5.1.1 No such user');
  await sendMessage(database, item, 'At the desk');
  await expect.poll(() => isRefused(owner)).toBe(true);
  await expect.poll(waiting).toEqual([]);
  expect(mailServer.attempts).toBe(1);
  expect(await isRefused(other)).toBe(false);
  expect(logged.filter((line) => line.includes('"level":50') || line.includes('"level":"error"'))).toEqual([]);
  expect(logged.join()).not.toContain(owner.email);

  mailServer.recipientRefusal = undefined;
  await sendMessage(database, item, 'Still at the desk');
  await expect.poll(() => isRefused(owner)).toBe(false);
  expect(mailServer.arrived.map(({ recipients }) => recipients)).toEqual([[owner.email]]);
});

test('another address is not refused', async () => {
  const owner = await createOwner(database);
  await database.query('update public.profiles set email_refused_at = now() where id = $1', [owner.id]);
  await database.query('update auth.users set email = $2 where id = $1', [owner.id, `new-${owner.email}`]);
  expect(await isRefused(owner)).toBe(false);
});

test('a temporary refusal is tried again, and arrives [K78]', async () => {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  mailServer.recipientRefusal = refusal(451, '4.3.0 Try again');
  await sendMessage(database, item, 'At the desk');
  await expect.poll(() => mailServer.attempts).toBeGreaterThan(1);
  expect(await isRefused(owner)).toBe(false);
  mailServer.recipientRefusal = undefined;
  await expect.poll(() => mailServer.arrived.some(({ recipients }) => recipients.includes(owner.email))).toBe(true);
});

test('a second contact whose mailbox or number is gone gets one attempt [K78]', async () => {
  const owner = await createOwner(database);
  mailServer.recipientRefusal = refusal(550, 'No such user');
  for (const [email, phone] of [
    [`gone-${owner.email}`, null],
    [null, '+972501234567'],
  ]) {
    await database.query(
      `with contact as (insert into public.second_contacts (owner_id, email, phone) values ($1, $2, $3) returning id)
         select internal.enqueue_contact_invitation(id) from contact`,
      [owner.id, email, phone],
    );
  }
  await expect.poll(waiting).toEqual([]);
  expect(mailServer.attempts).toBe(1);
  expect(logged.join()).toContain('The provider knows no such number.');
});
