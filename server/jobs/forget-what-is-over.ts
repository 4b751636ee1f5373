import type { Dependencies } from '#server/dependencies.ts';

/** A cookie lives no longer than this, so the database need not know the device any longer. */
const DEVICE_DAYS = 400;

/** Removes what is kept for a time only: old lines of the audit log, devices that were not seen again, dead challenges. */
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
}
