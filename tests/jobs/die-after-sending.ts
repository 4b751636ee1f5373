import { openSentKeys, rememberSentMails } from '#server/delivery/sent-keys.ts';
import { createSmtpDelivery, type SmtpDeliveryOptions } from '#server/delivery/email/smtp-delivery.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

/** A server that is killed after the mail server has accepted an email, before its job is marked as done. */
const { address, smtp, directory }: { address: PostgresAddress; smtp: SmtpDeliveryOptions; directory: string } =
  JSON.parse(process.argv[2] ?? '{}');
const delivery = rememberSentMails(
  createSmtpDelivery(smtp),
  await openSentKeys({ directory, log: quietLog, now: Date.now }),
);
await startJobs(
  dependenciesForJobs(address, {
    ...delivery,
    async sendEmail(email) {
      await delivery.sendEmail(email);
      process.stdout.write('accepted\n');
      await new Promise(() => undefined);
    },
  }),
);
