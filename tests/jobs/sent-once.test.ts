import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Delivery } from '#server/delivery/delivery.ts';
import { openSentKeys, rememberSentMails } from '#server/delivery/sent-keys.ts';
import { createSmtpDelivery } from '#server/delivery/email/smtp-delivery.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { keepingLog, quietLog } from '#tests/support/quiet-log.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { letTimePass, stepsOf } from '#tests/support/unseen-notices.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { sendReply } from '#tests/web/support/send-reply.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const mailServer = await startMailServer();
whenDone(() => mailServer.close());
const smtp = { url: `smtp://127.0.0.1:${mailServer.port}`, from: 'Reunite <hello@lost.example.org>' };

test('an email that the mail server has accepted is not sent again by the server that comes after a kill', async () => {
  const directory = join(await temporaryFolder(), 'sent-mails');
  const owner = await createOwner(database);
  await sendMessage(database, await createItem(database, owner), 'Once');
  const doomed = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./die-after-sending.ts', import.meta.url)),
      JSON.stringify({ address: database.address, smtp, directory }),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  whenDone(() => void doomed.kill('SIGKILL'));
  await once(doomed.stdout, 'data');
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');
  expect(mailServer.arrived).toHaveLength(1);
  expect(await jobsAtHand(database)).not.toEqual([]);

  const delivery = rememberSentMails(
    createSmtpDelivery(smtp),
    await openSentKeys({ directory, log: quietLog, now: Date.now }),
  );
  const dependencies = dependenciesForJobs(database.address, delivery);
  const jobs = await startJobs(dependencies, { graceMs: 0, lookEveryMs: 100 });
  await expect.poll(() => jobsAtHand(database)).toEqual([]);
  await jobs.stop();
  await dependencies.database.close();
  expect(mailServer.arrived).toHaveLength(1);
});

test('a server that was frozen before it sent an email does not send it once another one has', async () => {
  const owner = await createOwner(database);
  const before = mailServer.arrived.length;
  await sendMessage(database, await createItem(database, owner), 'Once');
  const frozen = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./freeze-before-sending.ts', import.meta.url)),
      JSON.stringify({ address: database.address, smtp }),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  whenDone(() => void frozen.kill('SIGKILL'));
  let said = '';
  frozen.stdout.on('data', (chunk) => (said += chunk));
  await expect.poll(() => said).toContain('about to send');
  frozen.kill('SIGSTOP');

  const dependencies = dependenciesForJobs(database.address, createSmtpDelivery(smtp));
  const jobs = await startJobs(dependencies, { graceMs: 0, lookEveryMs: 100 });
  await expect.poll(() => jobsAtHand(database), { timeout: 40_000 }).toEqual([]);
  frozen.kill('SIGCONT');
  await expect.poll(() => said).toContain('taken over by another server');
  await jobs.stop();
  await dependencies.database.close();
  expect(mailServer.arrived).toHaveLength(before + 1);
}, 60_000);

test('an email to a finder that the mail server has accepted is not sent again by the server that comes after a kill', async () => {
  const directory = join(await temporaryFolder(), 'sent-mails');
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  await sendMessage(database, item);
  await database.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
  await database.query(
    `insert into internal.finder_addresses (conversation_id, address, qr_id, language, proved_at, expires_at)
       select id, 'finder@example.net', $2, 'en', now(), now() + interval '1 day' from public.conversations where item_id = $1`,
    [item.id, item.qrId],
  );
  await sendReply(database, owner, item, 'Thank you');
  await database.query('select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), now())');
  const before = mailServer.arrived.length;
  const doomed = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./die-after-sending.ts', import.meta.url)),
      JSON.stringify({ address: database.address, smtp, directory }),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  whenDone(() => void doomed.kill('SIGKILL'));
  await once(doomed.stdout, 'data');
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');
  expect(mailServer.arrived.slice(before).map(({ recipients }) => recipients)).toEqual([['finder@example.net']]);
  const state = `select reply_id is not null as waits, notified_at is not null as is_notified
    from internal.finder_addresses where address = 'finder@example.net'`;
  expect(await database.query(state)).toEqual([{ waits: true, is_notified: false }]);

  const sent = await openSentKeys({ directory, log: quietLog, now: Date.now });
  const delivery = rememberSentMails(createSmtpDelivery(smtp), sent);
  const dependencies = dependenciesForJobs(database.address, delivery, [], { sent });
  const jobs = await startJobs(dependencies, { graceMs: 0, lookEveryMs: 100 });
  await expect.poll(() => database.query(state)).toEqual([{ waits: true, is_notified: true }]);
  await jobs.stop();
  await dependencies.database.close();
  expect(mailServer.arrived).toHaveLength(before + 1);
});

test('an SMS that its provider has accepted is not sent again by the server that comes after a kill', async () => {
  const directory = await temporaryFolder();
  const owner = await createOwner(database, { phone: aPhone() });
  await database.query('update auth.users set phone = $2, phone_confirmed_at = now() where id = $1', [
    owner.id,
    owner.phone.slice(1),
  ]);
  await database.query('insert into public.notice_settings (user_id, sms, reminder) values ($1, true, false)', [
    owner.id,
  ]);
  const item = await createItem(database, owner);
  await sendMessage(database, item);
  // Its first notice has been sent.
  await database.query(
    "select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where key like 'notify_owner%'))",
  );
  await letTimePass(database, item, '16 minutes');
  const doomed = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./die-after-texting.ts', import.meta.url)),
      JSON.stringify({ address: database.address, directory }),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  whenDone(() => void doomed.kill('SIGKILL'));
  await once(doomed.stdout, 'data');
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');
  const texted = 'select texted_at is not null as yes from public.conversations where item_id = $1';
  expect(await database.query(texted, [item.id])).toEqual([{ yes: false }]);

  const caught = catchDelivery();
  const sent = await openSentKeys({ directory, log: quietLog, now: Date.now });
  const dependencies = dependenciesForJobs(database.address, caught, [], { sent });
  const jobs = await startJobs(dependencies, { graceMs: 0, lookEveryMs: 100 });
  await expect.poll(() => database.query(texted, [item.id])).toEqual([{ yes: true }]);
  await jobs.stop();
  await dependencies.database.close();
  expect(await stepsOf(database, item)).toEqual([]);
  expect(caught.texts).toEqual([]);
});

test('a refused email is sent again, one without a key always is, and a record lasts a week', async () => {
  const directory = await temporaryFolder();
  const accepted: string[] = [];
  const accepting: Delivery = {
    ...catchDelivery(),
    sendEmail: async ({ subject }) => void accepted.push(subject),
  };
  let now = Date.parse('2026-03-01T12:00:00Z');
  const open = async (delivery = accepting) =>
    rememberSentMails(delivery, await openSentKeys({ directory, log: quietLog, now: () => now }));
  const mail = { to: 'olive@example.com', subject: 'Found', text: 'Found', key: 'message:1' };
  const refusing = { ...accepting, sendEmail: () => Promise.reject(new Error('Not now')) };
  await expect((await open(refusing)).sendEmail(mail)).rejects.toThrow('Not now');
  await (await open()).sendEmail(mail);
  await (await open()).sendEmail(mail);
  const { key: _, ...keyless } = mail;
  await (await open()).sendEmail(keyless);
  await (await open()).sendEmail(keyless);
  expect(accepted).toHaveLength(3);
  // The file contains nothing of the mail.
  expect(await readdir(directory)).toEqual(['2026-03-01.log']);

  now += 8 * 86_400_000;
  await (await open()).sendEmail(mail);
  expect(accepted).toHaveLength(4);
  expect(await readdir(directory)).toEqual(['2026-03-09.log']);
});

test('a server that runs for weeks remembers the last one', async () => {
  const directory = await temporaryFolder();
  const accepted: string[] = [];
  const accepting: Delivery = { ...catchDelivery(), sendEmail: async ({ subject }) => void accepted.push(subject) };
  let now = Date.parse('2026-03-01T12:00:00Z');
  const delivery = rememberSentMails(accepting, await openSentKeys({ directory, log: quietLog, now: () => now }));
  const send = (key: string) => delivery.sendEmail({ to: 'olive@example.com', subject: key, text: 'Found', key });
  for (let day = 0; day < 20; day += 1) {
    await send(`message:${day}`);
    now += 86_400_000;
  }
  expect(await readdir(directory)).toHaveLength(8);
  await send('message:19');
  expect(accepted).toHaveLength(20);
  await send('message:0');
  expect(accepted).toHaveLength(21);
});

test('what another process has sent in the meantime is not sent again', async () => {
  const directory = await temporaryFolder();
  const accepted: string[] = [];
  const accepting: Delivery = { ...catchDelivery(), sendEmail: async ({ subject }) => void accepted.push(subject) };
  const now = () => Date.parse('2026-03-01T12:00:00Z');
  const open = async () => rememberSentMails(accepting, await openSentKeys({ directory, log: quietLog, now }));
  const [one, other] = [await open(), await open()];
  const send = (by: Delivery, key: string) =>
    by.sendEmail({ to: 'olive@example.com', subject: key, text: 'Found', key });
  await send(one, 'message:1');
  await send(other, 'message:1');
  await send(other, 'message:2');
  await send(one, 'message:2');
  await send(other, 'message:1');
  expect(accepted).toEqual(['message:1', 'message:2']);
});

test('of many keys the newest are remembered, by a server that runs and by the next one', async () => {
  const directory = await temporaryFolder();
  let now = Date.parse('2026-03-01T23:59:00Z');
  const open = () => openSentKeys({ directory, log: quietLog, now: () => now, mostKeys: 3 });
  const [one, other] = [await open(), await open()];
  one.add('1');
  other.add('2');
  now += 120_000;
  one.add('3');
  const kept = (keys: typeof one) => ['1', '2', '3', '4', '5'].filter((key) => keys.has(key));
  expect(kept(one)).toEqual(['1', '2', '3']);
  expect(kept(other)).toEqual(['1', '2', '3']);
  other.add('4');
  one.add('5');
  for (const keys of [one, other, await open()]) expect(kept(keys)).toEqual(['3', '4', '5']);
});

test('a key that another process wrote between two of this one is found', async () => {
  const directory = await temporaryFolder();
  const now = () => Date.parse('2026-03-01T12:00:00Z');
  const open = () => openSentKeys({ directory, log: quietLog, now });
  const [one, other] = [await open(), await open()];
  one.add('1');
  other.add('2');
  one.add('3');
  expect(['1', '2', '3'].map((key) => [one.has(key), other.has(key)])).toEqual(
    Array.from({ length: 3 }, () => [true, true]),
  );
});

test('an email that cannot be noted is sent all the same, and the log says so', async () => {
  const directory = join(await temporaryFolder(), 'sent-mails');
  const log = keepingLog();
  const caught = catchDelivery();
  const delivery = rememberSentMails(
    caught,
    await openSentKeys({ directory, log, now: () => Date.parse('2026-03-01T12:00:00Z') }),
  );
  await rm(directory, { recursive: true });
  await writeFile(directory, '');
  await delivery.sendEmail({ to: 'olive@example.com', subject: 'Found', text: 'Found', key: 'message:2' });
  expect(caught.emails).toHaveLength(1);
  expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
});
