import type { Delivery } from '#server/delivery/delivery.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';

export interface DevelopmentDeliveryOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly log: ServiceLog;
}

/**
 * Stores every email and SMS in the development outbox instead of sending it. The log says where to look and contains
 * neither content nor recipient.
 */
export function createDevelopmentDelivery({ database, log }: DevelopmentDeliveryOptions): Delivery {
  const keep = async (
    channel: 'email' | 'sms',
    recipient: string,
    subject: string | null,
    body: string,
    key: string | undefined,
  ): Promise<void> => {
    await database.asService({
      name: 'keep_in_development_outbox',
      text: `insert into internal.development_outbox (channel, recipient, subject, body, delivery_key)
               values ($1, $2, $3, $4, $5) on conflict (delivery_key) do nothing`,
      values: [channel, recipient, subject, body, key ?? null],
    });
    log.info({ channel }, 'A message is in the development outbox: open /dev/outbox');
  };
  return {
    hasSms: true,
    sendEmail: ({ to, subject, text, key }) => keep('email', to, subject, text, key),
    sendSms: ({ to, text, key }) => keep('sms', to, null, text, key),
  };
}
