import type { Dependencies } from '#server/dependencies.ts';

/** A cookie lives no longer than this, so the database need not know the device any longer. */
const DEVICE_DAYS = 400;
/** As long as Supabase keeps them. */
const BROADCAST_HOURS = 72;

/**
 * Removes what is kept for a time only: old lines of the audit log, devices that were not seen again, dead challenges,
 * codes and links that nobody used, broadcasts that were kept to be told again, registrations that nobody confirmed, and
 * anonymous accounts that nobody uses: those with nothing of their own and no way to sign in to them again.
 */
export async function forgetWhatIsOver({ database, config }: Pick<Dependencies, 'database' | 'config'>): Promise<void> {
  await database.asService({
    name: 'forget_audit_log',
    text: 'delete from auth.audit_log where at < now() - make_interval(days => $1)',
    values: [config.auditLogDays],
  });
  await database.asService({
    name: 'forget_known_devices',
    text: 'delete from auth.known_devices where seen_at < now() - make_interval(days => $1)',
    values: [DEVICE_DAYS],
  });
  await database.asService({
    name: 'forget_challenges',
    text: "delete from auth.mfa_challenges where expires_at < now() - interval '1 day'",
  });
  await database.asService({
    name: 'forget_codes',
    text: `delete from auth.one_time_tokens
             where greatest(expires_at, link_expires_at) < now() - interval '1 day'`,
  });
  await database.asService({
    name: 'forget_authorization_codes',
    text: "delete from auth.authorization_codes where expires_at < now() - interval '1 day'",
  });
  await database.asService({
    name: 'forget_broadcasts',
    text: `delete from realtime.messages where inserted_at < (now() at time zone 'UTC') - make_interval(hours => $1)`,
    values: [BROADCAST_HOURS],
  });
  await database.asService({
    name: 'forget_unconfirmed_accounts',
    text: `delete from auth.users
             where confirmed_at is null and last_sign_in_at is null and deleted_at is null and not is_anonymous
               and greatest(created_at, confirmation_sent_at, invited_at, recovery_sent_at)
                 < now() - make_interval(days => $1)`,
    values: [config.unconfirmedAccountDays],
  });
  await database.asService({
    name: 'forget_anonymous_accounts',
    text: `delete from auth.users as account
             where is_anonymous and deleted_at is null
               and coalesce(email, phone, encrypted_password) is null
               and coalesce(email_confirmed_at, phone_confirmed_at) is null
               and greatest(created_at, last_sign_in_at, updated_at) < now() - make_interval(days => $1)
               and not exists (
                 select from auth.sessions as session where session.user_id = account.id
                   and greatest(session.created_at, session.refreshed_at) >= now() - make_interval(days => $1)
               )
               and not exists (select from auth.identities as identity where identity.user_id = account.id)
               and not exists (
                 select from auth.mfa_factors as factor where factor.user_id = account.id and factor.status = 'verified'
               )
               and not exists (select from storage.objects as file where file.owner = account.id)
               and not exists (select from public.items as item where item.user_id = account.id)
               and not exists (select from public.conversations as talk where talk.owner_id = account.id)
               and not exists (select from public.qr_codes as code where code.owner_id = account.id)`,
    values: [config.anonymousAccountDays],
  });
}
