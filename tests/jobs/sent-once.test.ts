import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { Delivery } from '#server/delivery/delivery.ts';
import { createSmtpDelivery } from '#server/delivery/email/smtp-delivery.ts';
import { createSentKeys, rememberSentMails } from '#server/delivery/sent-keys.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { purgeExpired } from '#server/jobs/upkeep/purge-expired.ts';
import type { ServiceLog } from '#server/log/log.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { keepingLog, quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { letTimePass, stepsOf } from '#tests/support/unseen-notices.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { sendReply } from '#tests/web/support/send-reply.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const mailServer = await startMailServer();
whenDone(() => mailServer.close());
const smtp = { url: `smtp://127.0.0.1:${mailServer.port}`, from: 'Reunite <hello@lost.example.org>' };

test('an email that the mail server has accepted is not sent again by the server that comes after a kill [K18]', async () => {
  const owner = await createOwner(database);
  await sendMessage(database, await createItem(database, owner), 'Once');
  const doomed = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./die-after-sending.ts', import.meta.url)),
      JSON.stringify({ address: database.address, smtp }),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  whenDone(() => void doomed.kill('SIGKILL'));
  await once(doomed.stdout, 'data');
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');
  expect(mailServer.arrived).toHaveLength(1);
  expect(await jobsAtHand(database)).not.toEqual([]);

  const dependencies = dependenciesForJobs(database.address, createSmtpDelivery(smtp));
  const jobs = await startJobs(dependencies, { graceMs: 0, lookEveryMs: 100 });
  await expect.poll(() => jobsAtHand(database)).toEqual([]);
  await jobs.stop();
  await dependencies.database.close();
  expect(mailServer.arrived).toHaveLength(1);
});

test('a server that was frozen before it sent an email does not send it once another one has [I58]', async () => {
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
      JSON.stringify({ address: database.address, smtp }),
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

  const dependencies = dependenciesForJobs(database.address, createSmtpDelivery(smtp));
  const jobs = await startJobs(dependencies, { graceMs: 0, lookEveryMs: 100 });
  await expect.poll(() => database.query(state)).toEqual([{ waits: true, is_notified: true }]);
  await jobs.stop();
  await dependencies.database.close();
  expect(mailServer.arrived).toHaveLength(before + 1);
});

test('an SMS that its provider has accepted is not sent again by the server that comes after a kill', async () => {
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
    [fileURLToPath(new URL('./die-after-texting.ts', import.meta.url)), JSON.stringify({ address: database.address })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  whenDone(() => void doomed.kill('SIGKILL'));
  await once(doomed.stdout, 'data');
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');
  const texted = 'select texted_at is not null as yes from public.conversations where item_id = $1';
  expect(await database.query(texted, [item.id])).toEqual([{ yes: false }]);

  const caught = catchDelivery();
  const dependencies = dependenciesForJobs(database.address, caught);
  const jobs = await startJobs(dependencies, { graceMs: 0, lookEveryMs: 100 });
  await expect.poll(() => database.query(texted, [item.id])).toEqual([{ yes: true }]);
  await jobs.stop();
  await dependencies.database.close();
  expect(await stepsOf(database, item)).toEqual([]);
  expect(caught.texts).toEqual([]);
});

/** Two servers on the database, whose deliveries remember what they sent. */
function openServers(sendEmail: Delivery['sendEmail'], log: ServiceLog = quietLog) {
  const service = openDatabase({ address: database.address, log: quietLog });
  whenDone(() => service.close());
  const open = () => rememberSentMails({ ...catchDelivery(), sendEmail }, createSentKeys({ database: service, log }));
  return { one: open(), other: open(), service };
}

test('a refused email is sent again, one without a key always is, and a record lasts a week', async () => {
  const accepted: string[] = [];
  const { one, other, service } = openServers(async ({ subject }) => void accepted.push(subject));
  const refusing = openServers(() => Promise.reject(new Error('Not now'))).one;
  const mail = { to: 'olive@example.com', subject: 'Found', text: 'Found', key: 'message:1' };
  await expect(refusing.sendEmail(mail)).rejects.toThrow('Not now');
  await one.sendEmail(mail);
  await one.sendEmail(mail);
  await other.sendEmail(mail);
  const { key: _, ...keyless } = mail;
  await one.sendEmail(keyless);
  await one.sendEmail(keyless);
  expect(accepted).toHaveLength(3);
  // The row contains nothing of the mail.
  expect(await database.query('select * from internal.sent_keys where key ~ $1', ['message|olive|Found'])).toEqual([]);

  const purge = () => purgeExpired({ database: service, config: readConfig({}) });
  await database.query("update internal.sent_keys set sent_at = now() - interval '6 days'");
  await purge();
  await one.sendEmail(mail);
  expect(accepted).toHaveLength(3);
  await database.query("update internal.sent_keys set sent_at = now() - interval '8 days'");
  await purge();
  await one.sendEmail(mail);
  expect(accepted).toHaveLength(4);
});

test('an email that cannot be noted is sent all the same, and the log says so', async () => {
  const log = keepingLog();
  const accepted: string[] = [];
  const { one } = openServers(async ({ subject }) => void accepted.push(subject), log);
  await database.query('revoke insert on internal.sent_keys from service_role');
  whenDone(() => database.query('grant insert on internal.sent_keys to service_role'));
  await one.sendEmail({ to: 'olive@example.com', subject: 'Found', text: 'Found', key: 'message:2' });
  expect(accepted).toEqual(['Found']);
  expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
});
