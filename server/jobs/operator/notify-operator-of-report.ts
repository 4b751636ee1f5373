import * as v from 'valibot';
import type { FinderReportKind, ReportKind } from '#domain/contact/report.ts';
import { english } from '#domain/language.ts';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { finderReportNotice, reportNotice } from '#domain/texts/letters/report-notice.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob } from '#server/jobs/sending/send-from-job.ts';
import type { LimitName } from '#server/limits/limits.ts';
import { type Counter, takeAll } from '#server/limits/rate-limits.ts';
import { scheduleReportDigest } from './report-digest.ts';

/** The payload of jobs queued by `internal.enqueue_report_notice`. */
export const reportNoticePayload = v.object({ report_id: v.pipe(v.string(), v.uuid()) });

/** The database ties the kind to what the report is about. */
type Kind =
  | { readonly kind: ReportKind; readonly is_of_finder: false }
  | { readonly kind: FinderReportKind; readonly is_of_finder: true };

type Reported = Kind & {
  readonly qr_id: string;
  readonly body: string | null;
  /** Whether no earlier report of the tag code is open, of its page or of a finder as this one. */
  readonly is_first: boolean;
};

/**
 * Mails the operator about one report. Sends nothing where it is closed or gone, or the operator has no address. Beyond
 * the limits, reports wait for one email at the end of the day, so that a flood does not fill the mailbox. Further reports of
 * a tag code use up nothing of the limit for first ones.
 *
 * @throws an error without address and text: it is stored with the job and logged.
 */
export async function notifyOperatorOfReport(
  needs: Pick<Dependencies, 'database' | 'delivery' | 'config' | 'limits'>,
  reportId: string,
): Promise<void> {
  const { database, limits } = needs;
  const { operatorEmail, productName, publicUrl } = needs.config;
  if (operatorEmail === null) return;
  const { rows } = await database.asService<Reported>({
    name: 'report_to_notify_of',
    text: `select kind, qr_id, body, reported_by is not null as is_of_finder, not exists (
         select from internal.reports as earlier
           where earlier.qr_id = report.qr_id and earlier.closed_at is null
             and (earlier.reported_by is null) = (report.reported_by is null)
             and (earlier.created_at, earlier.id) < (report.created_at, report.id)
       ) as is_first
       from internal.reports as report where id = $1 and closed_at is null`,
    values: [reportId],
  });
  const [report] = rows;
  if (report === undefined) return;
  const { qr_id: code, body, is_first: isFirst } = report;
  const counters: readonly Counter<LimitName>[] = isFirst
    ? [['report_emails', report.is_of_finder ? 'finders' : 'pages']]
    : [
        ['further_report_emails_per_tag', code],
        ['report_emails', 'further'],
      ];
  const { retryAfterSeconds, giveBack } = await takeAll(limits, counters);
  if (retryAfterSeconds !== null) return scheduleReportDigest(database);
  const link = `${publicUrl}/item/${encodeURIComponent(code)}`;
  const content = report.is_of_finder
    ? finderReportNotice({ productName, id: reportId, kind: report.kind, body })
    : reportNotice({ productName, id: reportId, kind: report.kind, body, link });
  try {
    await sendFromJob(needs, {
      to: operatorEmail,
      ...composeMail(content, productName, english),
      key: `report:${reportId}`,
    });
  } catch (error) {
    await giveBack();
    throw error;
  }
}
