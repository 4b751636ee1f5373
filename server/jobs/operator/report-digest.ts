import * as v from 'valibot';
import { english } from '#domain/language.ts';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { reportDigest } from '#domain/texts/letters/report-notice.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob } from '#server/jobs/sending/send-from-job.ts';
import type { Database } from '#server/postgres/database.ts';

export const SEND_REPORT_DIGEST = 'send_report_digest';

/** The payload of jobs queued by `scheduleReportDigest`. */
export const reportDigestPayload = v.object({
  /** A day in UTC. */
  day: v.pipe(v.string(), v.isoDate()),
});

/** Schedules one email about the reports of today for the end of the day (UTC), however often it is called. */
export async function scheduleReportDigest(database: Pick<Database, 'asOwner'>): Promise<void> {
  await database.asOwner({
    name: 'schedule_report_digest',
    text: `select graphile_worker.add_job($1, json_build_object('day', today.day::text),
       job_key := $1 || ':' || today.day, job_key_mode := 'preserve_run_at',
       run_at := (today.day + 1)::timestamp at time zone 'UTC')
       from (select (now() at time zone 'UTC')::date as day) as today`,
    values: [SEND_REPORT_DIGEST],
  });
}

/** Mails the operator how many reports are open. Sends nothing where none is, or the operator has no address. */
export async function sendReportDigest(
  needs: Pick<Dependencies, 'database' | 'delivery' | 'config'>,
  { day }: v.InferOutput<typeof reportDigestPayload>,
): Promise<void> {
  const { operatorEmail, productName } = needs.config;
  if (operatorEmail === null) return;
  const { rows } = await needs.database.asService<{ count: number }>({
    name: 'count_open_reports',
    text: 'select count(*)::integer as count from internal.reports where closed_at is null',
  });
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  const content = reportDigest({ productName, count });
  await sendFromJob(needs, {
    to: operatorEmail,
    ...composeMail(content, productName, english),
    key: `reports:${day}`,
  });
}
