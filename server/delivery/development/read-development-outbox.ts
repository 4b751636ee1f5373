import { ONE_TIME_CODE_TRIES } from '#domain/account/validate-credentials.ts';
import type { Database } from '#server/postgres/database.ts';

/** An email or SMS that a development server stored instead of sending it. */
export interface OutboxMessage {
  readonly id: number;
  readonly channel: 'email' | 'sms';
  readonly recipient: string;
  /** Null for an SMS. */
  readonly subject: string | null;
  readonly body: string;
  /** RFC 3339 in UTC. */
  readonly sent_at: string;
  /** The 6 digits, where the message contains a one-time code. */
  readonly code: string | null;
}

/** How many messages the page shows. */
const SHOWN = 100;

interface OutboxRow {
  readonly id: string;
  readonly channel: 'email' | 'sms';
  readonly recipient: string;
  readonly subject: string | null;
  readonly body: string;
  readonly delivery_key: string | null;
  readonly sent_at: Date;
}

const COLUMNS = 'id, channel, recipient, subject, body, delivery_key, sent_at';

/** Returns the newest messages, newest first. */
export async function readDevelopmentOutbox(database: Pick<Database, 'asService'>): Promise<OutboxMessage[]> {
  const { rows } = await database.asService<OutboxRow>({
    name: 'read_development_outbox',
    text: `select ${COLUMNS} from internal.development_outbox order by id desc limit $1`,
    values: [SHOWN],
  });
  return rows.map(messageOf);
}

/**
 * Returns the newest code of an unconfirmed account's sign-up, or null where that code has expired or the browser that
 * requested it has used up its attempts.
 */
export async function readPendingCode(database: Pick<Database, 'asService'>, email: string): Promise<string | null> {
  const { rows } = await database.asService<OutboxRow>({
    name: 'read_pending_code',
    text: `select ${COLUMNS} from internal.development_outbox as message
      where exists (
        select from auth.users as account
          where account.claimed_email = lower(btrim($1)) and account.confirmed_at is null and account.deleted_at is null
            and starts_with(message.delivery_key, 'code:' || account.id || ':')
            and exists (
              select from (
                select expires_at, own_attempts from auth.one_time_tokens
                  where user_id = account.id and token_hash is not null order by id desc limit 1
              ) as newest
              where expires_at > now() and own_attempts < $2
            )
      )
      order by id desc limit 1`,
    values: [email, ONE_TIME_CODE_TRIES],
  });
  return rows[0] === undefined ? null : messageOf(rows[0]).code;
}

function messageOf({ id, delivery_key: key, sent_at: sentAt, ...row }: OutboxRow): OutboxMessage {
  const code = /^(?:code|challenge):/.test(key ?? '') ? (/(?<!\d)\d{6}(?!\d)/.exec(row.body)?.[0] ?? null) : null;
  return { id: Number(id), ...row, sent_at: sentAt.toISOString(), code };
}
