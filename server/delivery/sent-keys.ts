import { hash } from 'node:crypto';
import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Delivery } from './delivery.ts';

/** Which messages have been accepted, by their keys. */
export interface SentKeys {
  has(key: string): Promise<boolean>;
  /** Call it as soon as the message has been accepted. A key that cannot be stored is logged: its message was sent. */
  add(key: string): Promise<void>;
}

/**
 * Returns the record of accepted messages. A job that was not marked as done before a crash is run again, by this server
 * or by another one, and finds the key. The table has fingerprints of keys, and keeps each longer than a job is retried.
 */
export function createSentKeys({
  database,
  log,
}: {
  readonly database: Pick<Database, 'asService'>;
  readonly log: ServiceLog;
}): SentKeys {
  return {
    async has(key) {
      const { rows } = await database.asService({
        name: 'was_sent',
        text: 'select from internal.sent_keys where key = $1',
        values: [fingerprint(key)],
      });
      return rows.length > 0;
    },
    async add(key) {
      try {
        await database.asService({
          name: 'add_sent_key',
          text: 'insert into internal.sent_keys (key) values ($1) on conflict (key) do update set sent_at = now()',
          values: [fingerprint(key)],
        });
      } catch (error) {
        log.warn({ err: error }, 'A sent message could not be recorded; a crash now would send it twice.');
      }
    },
  };
}

/** Wraps a delivery so that an email with a key is handed to the mail server once. */
export function rememberSentMails(delivery: Delivery, sent: SentKeys): Delivery {
  return {
    ...delivery,
    async sendEmail(email) {
      const { key } = email;
      if (key === undefined) return delivery.sendEmail(email);
      if (await sent.has(key)) return;
      await delivery.sendEmail(email);
      await sent.add(key);
    },
  };
}

function fingerprint(key: string): string {
  return hash('sha256', key, 'base64url');
}
