import {
  ANONYMOUS_ACCOUNT_DAYS,
  CLOSED_REPORT_DAYS,
  CONTACT_INVITATION_DAYS,
  DEVICE_DAYS,
  ENDED_OFFER_DAYS,
  ENDED_PUSH_DAYS,
  FINDER_KEY_DAYS,
  LEFT_CONTACT_DAYS,
  REPORT_DAYS,
  UNCONFIRMED_ACCOUNT_DAYS,
} from '#domain/retention.ts';
import { END_OF_EMAIL_CHANGE, END_OF_PHONE_CHANGE } from '#server/auth/codes/spend-codes.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { inBatches } from '#server/in-batches.ts';
import type { Database } from '#server/postgres/database.ts';

/** The retention of Supabase's hosted service. */
const BROADCAST_HOURS = 72;
/** For an operator to inspect. A failed job may contain the address it could not write to. */
const FAILED_JOB_DAYS = 7;
/** Longer than a job is retried. */
const SENT_KEY_DAYS = 7;
/**
 * How many rows one statement removes. A request that needs one of them, such as the address of an account that is being
 * removed with all it has, waits for so many and no more.
 */
const BATCH = 500;

/**
 * Rows to remove from a table, which has the alias `old` in the conditions. The condition contains an indexed
 * comparison.
 */
interface ExpiredRows {
  readonly table: string;
  readonly condition: string;
  readonly values?: readonly unknown[];
  /** Where many rows that meet the condition stay: they are looked at from the oldest on. */
  readonly inOrder?: InOrder;
}

interface InOrder {
  /** The column of the indexed comparison. */
  readonly age: string;
  /** True of the rows that do not stay. */
  readonly removedIf: string;
}

type Settings = Pick<Dependencies['config'], 'auditLogDays'>;

/**
 * What is kept for a limited time: entries of the audit log and of what ended, unused devices, ended sessions, replaced refresh tokens,
 * expired challenges, unused codes and links, ended push subscriptions and notice addresses, offers of items, records of
 * items that were given away and have no conversations, second contacts who left or did not respond, email addresses of
 * finders, fingerprints of what was sent, replayable broadcasts, reports, unconfirmed registrations, and anonymous accounts without data and without a
 * way to sign in again.
 */
const expiredRows = (config: Settings): readonly ExpiredRows[] => [
  { table: 'auth.audit_log', condition: 'at < now() - make_interval(days => $1)', values: [config.auditLogDays] },
  { table: 'internal.endings', condition: 'at < now() - make_interval(days => $1)', values: [config.auditLogDays] },
  { table: 'auth.known_devices', condition: 'seen_at < now() - make_interval(days => $1)', values: [DEVICE_DAYS] },
  { table: 'auth.sessions', condition: "not_after < now() - interval '1 day'" },
  { table: 'auth.refresh_tokens', condition: "revoked_at < now() - interval '1 day'" },
  { table: 'auth.mfa_challenges', condition: "expires_at < now() - interval '1 day'" },
  { table: 'auth.spent_challenges', condition: "expires_at < now() - interval '1 day'" },
  {
    table: 'auth.one_time_tokens',
    condition: `expires_at < now() - interval '1 day'
      and (link_expires_at is null or link_expires_at < now() - interval '1 day')`,
  },
  {
    table: 'public.push_subscriptions',
    condition: 'ended_at < now() - make_interval(days => $1)',
    values: [ENDED_PUSH_DAYS],
  },
  {
    table: 'public.notice_addresses',
    condition: 'ended_at < now() - make_interval(days => $1)',
    values: [ENDED_PUSH_DAYS],
  },
  {
    table: 'public.item_offers',
    condition: 'expires_at < now() - make_interval(days => $1)',
    values: [ENDED_OFFER_DAYS],
  },
  {
    table: 'public.items',
    condition: 'given_at < now() - make_interval(days => $1)',
    values: [ENDED_OFFER_DAYS],
    inOrder: {
      age: 'given_at',
      removedIf: 'not exists (select from public.conversations as conversation where conversation.item_id = old.id)',
    },
  },
  {
    table: 'public.second_contacts',
    condition: 'left_at < now() - make_interval(days => $1)',
    values: [LEFT_CONTACT_DAYS],
  },
  {
    table: 'public.second_contacts',
    condition: 'agreed_at is null and left_at is null and created_at < now() - make_interval(days => $1)',
    values: [CONTACT_INVITATION_DAYS],
  },
  {
    table: 'internal.blocked_keys',
    condition: 'created_at < now() - make_interval(days => $1)',
    values: [FINDER_KEY_DAYS],
  },
  {
    table: 'internal.moved_keys',
    condition: 'created_at < now() - make_interval(days => $1)',
    values: [FINDER_KEY_DAYS],
  },
  { table: 'internal.finder_addresses', condition: 'expires_at < now()' },
  {
    table: 'internal.sent_keys',
    condition: 'sent_at < now() - make_interval(days => $1)',
    values: [SENT_KEY_DAYS],
  },
  {
    table: 'internal.reports',
    condition: 'closed_at < now() - make_interval(days => $1)',
    values: [CLOSED_REPORT_DAYS],
  },
  { table: 'internal.reports', condition: 'created_at < now() - make_interval(days => $1)', values: [REPORT_DAYS] },
  { table: 'auth.authorization_codes', condition: "expires_at < now() - interval '1 day'" },
  {
    table: 'realtime.messages',
    condition: "inserted_at < (now() at time zone 'UTC') - make_interval(hours => $1)",
    values: [BROADCAST_HOURS],
  },
  {
    table: 'auth.users',
    condition: `confirmed_at is null and last_sign_in_at is null and deleted_at is null and not is_anonymous
      and created_at < now() - make_interval(days => $1)
      and greatest(created_at, confirmation_sent_at, invited_at, recovery_sent_at) < now() - make_interval(days => $1)`,
    values: [UNCONFIRMED_ACCOUNT_DAYS],
  },
  {
    table: 'auth.users',
    condition: 'is_anonymous and deleted_at is null and created_at < now() - make_interval(days => $1)',
    values: [ANONYMOUS_ACCOUNT_DAYS],
    inOrder: {
      age: 'created_at',
      removedIf: `coalesce(email, claimed_email, phone, encrypted_password) is null
        and coalesce(email_confirmed_at, phone_confirmed_at) is null
        and greatest(created_at, last_sign_in_at, updated_at) < now() - make_interval(days => $1)
        and not exists (
          select from auth.sessions as session where session.user_id = old.id
            and greatest(session.created_at, session.refreshed_at) >= now() - make_interval(days => $1)
        )
        and not exists (select from auth.identities as identity where identity.user_id = old.id)
        and not exists (
          select from auth.mfa_factors as factor where factor.user_id = old.id and factor.status = 'verified'
        )
        and not exists (select from storage.objects as file where file.owner = old.id)
        and not exists (select from public.items as item where item.user_id = old.id)
        and not exists (select from public.conversations as talk where talk.owner_id = old.id)
        and not exists (select from public.qr_codes as code where code.owner_id = old.id)`,
    },
  },
];

/** Changes of an address or a number: the column with the new one, how the change ends, and its kinds of codes. */
const CHANGES = [
  {
    column: 'new_email',
    end: END_OF_EMAIL_CHANGE,
    codes: ['email_change_current', 'email_change_new'],
  },
  { column: 'new_phone', end: END_OF_PHONE_CHANGE, codes: ['phone_change'] },
] as const;

/**
 * Removes all expired rows, pending changes without a code, and permanently failed jobs. A failing step does not stop
 * the others; its error is thrown last.
 */
export async function purgeExpired({
  database,
  config,
}: Pick<Dependencies, 'database'> & { readonly config: Settings }): Promise<void> {
  const steps = expiredRows(config).map((rows) => () => purge(database, rows));
  const failures: unknown[] = [];
  // After the codes, which are among the expired rows.
  const changes = CHANGES.map((change) => () => endChanges(database, change));
  for (const step of [...steps, ...changes, () => purgeFailedJobs(database)]) {
    await step().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Of the rows that were chosen, those are removed that still meet the condition once they are locked: one that is changed
 * concurrently may stay. The table and the condition come from the list above.
 */
async function purge(database: Pick<Database, 'asService'>, rows: ExpiredRows): Promise<void> {
  const { table, condition, values = [], inOrder } = rows;
  if (inOrder !== undefined) return purgeInOrder(database, rows, inOrder);
  await inBatches(BATCH, () =>
    database.asService({
      text: `delete from ${table} as old where ${condition} and old.ctid = any (array(
               select old.ctid from ${table} as old where ${condition} limit ${BATCH}
             ))`,
      values,
    }),
  );
}

/**
 * Each batch goes on where the one before it ended. If each began at the oldest row, it would look at all those that stay,
 * and with some millions of them it would not end within the statement timeout. Rows of the same moment are read together.
 */
async function purgeInOrder(
  database: Pick<Database, 'asService'>,
  { table, condition, values = [] }: ExpiredRows,
  { age, removedIf }: InOrder,
): Promise<void> {
  const [after, afterId] = [`$${values.length + 1}`, `$${values.length + 2}`];
  let last = BEFORE_ALL;
  await inBatches(BATCH, async () => {
    const { rows } = await database.asService<Last & { readonly looked_at: number }>({
      text: `with looked_at as materialized (
               select old.ctid as place, old.${age} as age, old.id from ${table} as old
                 where ${condition} and (old.${age}, old.id) > (${after}, ${afterId})
                 order by old.${age}, old.id limit ${BATCH}
             ), removed as (
               delete from ${table} as old
                 where old.ctid = any (array(select place from looked_at)) and ${condition} and ${removedIf}
             )
             -- As text, which keeps the microseconds.
             select age::text as age, id, (count(*) over ())::integer as looked_at from looked_at
               order by looked_at.age desc, id desc limit 1`,
      values: [...values, last.age, last.id],
    });
    const [newest] = rows;
    if (newest !== undefined) last = newest;
    return { rowCount: newest?.looked_at ?? 0 };
  });
}

/** The newest row of a batch. */
interface Last {
  readonly age: string;
  readonly id: string;
}

const BEFORE_ALL: Last = { age: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Ends pending changes whose last code was removed. Otherwise anyone could have their messages sent again for as long as
 * the account exists.
 */
async function endChanges(
  database: Pick<Database, 'asService'>,
  { column, end, codes }: (typeof CHANGES)[number],
): Promise<void> {
  // Any text is greater than the empty one, so the comparison reads the column's index. As in `purge`, what is changed
  // concurrently is looked at again.
  const condition = `old.${column} > '' and old.deleted_at is null and not exists (
    select from auth.one_time_tokens as code where code.user_id = old.id and code.token_type = any($1)
  )`;
  await inBatches(BATCH, () =>
    database.asService({
      text: `update auth.users as old set ${end} where ${condition} and old.ctid = any (array(
               select old.ctid from auth.users as old where ${condition} limit ${BATCH}
             ))`,
      values: [codes],
    }),
  );
}

/** The job queue itself keeps them forever. */
async function purgeFailedJobs(database: Pick<Database, 'asOwner'>): Promise<void> {
  await inBatches(BATCH, () =>
    database.asOwner({
      text: `select from graphile_worker.complete_jobs(array(
         select id from graphile_worker.jobs
           where attempts >= max_attempts and locked_at is null and updated_at < now() - make_interval(days => $1)
           limit ${BATCH}
       ))`,
      values: [FAILED_JOB_DAYS],
    }),
  );
}
