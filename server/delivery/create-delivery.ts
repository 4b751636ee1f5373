import type { Config } from '#server/config.ts';
import type { ServiceLog } from '#server/log.ts';
import type { Database } from '#server/postgres/database.ts';
import { countSendings } from './count-sendings.ts';
import type { Delivery } from './delivery.ts';
import { createDevelopmentDelivery } from './development-delivery.ts';
import { createSmtpDelivery } from './smtp-delivery.ts';

export interface DeliveryOptions {
  readonly config: Pick<Config, 'production' | 'smtp'>;
  readonly database: Pick<Database, 'asService'>;
  readonly log: ServiceLog;
}

/**
 * The sender that the configuration asks for: SMTP in production, the outbox in development. Throws where a
 * production server has no sender, which the configuration refuses before.
 */
export function createDelivery({ config, database, log }: DeliveryOptions): Required<Delivery> {
  if (!config.production) {
    if (config.smtp !== null) {
      log.info({}, 'SMTP_URL is set, but a development server sends nothing: messages stay in its outbox.');
    }
    return countSendings(createDevelopmentDelivery({ database, log }));
  }
  if (config.smtp === null) throw new Error('SMTP_URL is missing: a production server needs it.');
  return countSendings(createSmtpDelivery(config.smtp));
}
