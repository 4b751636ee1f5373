import type { Dependencies } from '#server/dependencies.ts';
import type { Database } from '#server/postgres/database.ts';

/** A cookie lives no longer than this, so the database need not know the device any longer. */
const DEVICE_DAYS = 400;
/** As long as Supabase keeps them. */
const BROADCAST_HOURS = 72;
/** For an operator to look into. Such a job may hold the address that it could not write to. */
const FAILED_JOB_DAYS = 7;
/** Rows that are removed by one statement, so that each ends long before the time limit however much there is. */
const BATCH = 5_000;

/**
 * Rows of a table, which goes by `old` in the condition, that are kept no longer. The condition begins with a comparison
 * that an index serves.
 */
interface Over {
  readonly table: string;
  readonly condition: string;
  readonly values?: readonly unknown[];
}

type Settings = Pick<Dependencies['config'], 'auditLogDays' | 'unconfirmedAccountDays' | 'anonymousAccountDays'>;

/**
 * What is kept for a time only: old lines of the audit log, devices that were not seen again, refresh tokens
 * that were used up, dead challenges, codes and links that nobody used, broadcasts that were kept to be told again,
 * registrations that nobody confirmed, and anonymous accounts that nobody uses: those with nothing of their own and no way
 * to sign in to them again.
 */
const whatIsOver = (config: Settings): readonly Over[] => [
  { table: 'auth.audit_log', condition: 'at < now() - make_interval(days => $1)', values: [config.auditLogDays] },
  { table: 'auth.known_devices', condition: 'seen_at < now() - make_interval(days => $1)', values: [DEVICE_DAYS] },
  { table: 'auth.refresh_tokens', condition: "revoked_at < now() - interval '1 day'" },
  { table: 'auth.mfa_challenges', condition: "expires_at < now() - interval '1 day'" },
  {
    table: 'auth.one_time_tokens',
    condition: `expires_at < now() - interval '1 day'
      and (link_expires_at is null or link_expires_at < now() - interval '1 day')`,
  },
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
    values: [config.unconfirmedAccountDays],
  },
  {
    table: 'auth.users',
    condition: `is_anonymous and deleted_at is null
      and coalesce(email, claimed_email, phone, encrypted_password) is null
      and coalesce(email_confirmed_at, phone_confirmed_at) is null
      and created_at < now() - make_interval(days => $1)
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
    values: [config.anonymousAccountDays],
  },
];

/** Removes all that, and jobs that failed for good. One thing that cannot be removed keeps nothing else; it is thrown last. */
export async function forgetWhatIsOver({
  database,
  config,
}: Pick<Dependencies, 'database'> & { readonly config: Settings }): Promise<void> {
  const steps = whatIsOver(config).map((over) => () => forget(database, over));
  const failures: unknown[] = [];
  for (const step of [...steps, () => forgetFailedJobs(database)]) {
    await step().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function forget(database: Pick<Database, 'asService'>, { table, condition, values = [] }: Over): Promise<void> {
  for (let removed = BATCH; removed === BATCH; ) {
    // The table and the condition are words of the list above. Whoever is changed meanwhile is not removed.
    const { rowCount } = await database.asService({
      text: `delete from ${table}
               where ctid = any (array(select old.ctid from ${table} as old where ${condition} limit ${BATCH}))`,
      values,
    });
    removed = rowCount ?? 0;
  }
}

/** The job queue itself keeps them for good. */
async function forgetFailedJobs({ ownerPool }: Pick<Database, 'ownerPool'>): Promise<void> {
  await ownerPool.query(
    `select graphile_worker.complete_jobs(array(
       select id from graphile_worker.jobs
         where attempts >= max_attempts and locked_at is null and updated_at < now() - make_interval(days => $1)
     ))`,
    [FAILED_JOB_DAYS],
  );
}
