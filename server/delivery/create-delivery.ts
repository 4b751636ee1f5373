import type { Config } from '#server/config.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';
import { countSendings } from './count-sendings.ts';
import type { Delivery } from './delivery.ts';
import { createDevelopmentDelivery } from './development/development-delivery.ts';
import { createSmtpDelivery } from './email/smtp-delivery.ts';
import { NoMailServer } from './email/without-mail.ts';
import type { SmsSender } from './sms/sms-sender.ts';
import { createTwilioSms } from './sms/twilio-sms.ts';
import { createWebhookSms } from './sms/webhook-sms.ts';

export interface DeliveryOptions {
  readonly config: Pick<Config, 'production' | 'hasMail' | 'smtp' | 'sms'>;
  readonly database: Pick<Database, 'asService'>;
  readonly log: ServiceLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Creates the configured delivery: in production SMTP and optionally an SMS provider, in development the outbox. Without a
 * mail server it sends no email. Throws where a production server has no SMTP, which the configuration already refuses.
 */
export function createDelivery({ config, database, log, now }: DeliveryOptions): Required<Delivery> {
  if (!config.production) {
    if (config.smtp !== null || config.sms !== null) {
      log.info(
        {},
        'A development server sends no messages: they stay in its outbox, and the mail and SMS settings are ignored.',
      );
    }
    return countSendings(createDevelopmentDelivery({ database, log }));
  }
  if (config.hasMail && config.smtp === null) throw new Error('SMTP_URL is missing: a production server needs it.');
  const mail = config.smtp === null ? NO_DELIVERY : createSmtpDelivery(config.smtp);
  const sms = config.sms && createSmsSender(config.sms, now);
  return countSendings(sms === null ? mail : { ...mail, hasSms: true, sendSms: (message) => sms.sendSms(message) });
}

const NO_DELIVERY: Delivery = {
  hasSms: false,
  sendEmail: () => Promise.reject(new NoMailServer()),
  sendSms: () => Promise.reject(new Error('This server has no SMS provider.')),
};

function createSmsSender(settings: NonNullable<Config['sms']>, now: () => number): SmsSender {
  return settings.provider === 'twilio' ? createTwilioSms(settings) : createWebhookSms({ ...settings, now });
}
