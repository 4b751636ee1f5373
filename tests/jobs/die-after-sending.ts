import { createSmtpDelivery, type SmtpDeliveryOptions } from '#server/delivery/email/smtp-delivery.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

/** A server that is killed after the mail server has accepted an email, before its job is marked as done. */
const { address, smtp }: { address: PostgresAddress; smtp: SmtpDeliveryOptions } = JSON.parse(process.argv[2] ?? '{}');
const dependencies = dependenciesForJobs(address, createSmtpDelivery(smtp));
await startJobs({
  ...dependencies,
  delivery: {
    ...dependencies.delivery,
    async sendEmail(email) {
      await dependencies.delivery.sendEmail(email);
      process.stdout.write('accepted\n');
      await new Promise(() => undefined);
    },
  },
});
