import { countCharacters } from '#domain/contact/count-characters.ts';
import { isReportKind, REPORT_LENGTH, type ReportProblem } from '#domain/contact/report.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import type { FinderLanguage } from '#domain/finder-language.ts';
import type { LimitName } from '#server/limits/limits.ts';
import { type RateLimits, takeAll } from '#server/limits/rate-limits.ts';
import type { Database } from '#server/postgres/database.ts';

export interface SendReportOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly limits: RateLimits<LimitName>;
}

/** A report as it arrived. */
export interface TypedReport {
  readonly code: string;
  readonly kind: string;
  readonly body: string;
  readonly clientAddress: string;
  /** For refusals. */
  readonly language: FinderLanguage;
}

export type SentReport =
  | { readonly ok: true }
  | { readonly ok: false; readonly problem: ReportProblem; readonly status: 422 }
  | { readonly ok: false; readonly problem: ReportProblem; readonly status: 429; readonly retryAfterSeconds: number };

/**
 * Stores a finder's report of a page, within the limits of the address, and enqueues the operator's email with it. The
 * result does not depend on earlier reports, so nobody learns from it whether there are any.
 */
export async function sendReport(
  { database, limits }: SendReportOptions,
  { code, kind, body, clientAddress, language }: TypedReport,
): Promise<SentReport> {
  const texts = language.words.report;
  const trimmed = trimMessage(body);
  if (!isReportKind(kind)) return { ok: false, problem: { field: 'kind', text: texts.chooseFirst }, status: 422 };
  if (countCharacters(trimmed) > REPORT_LENGTH) {
    return { ok: false, problem: { field: 'body', text: texts.tooLong(REPORT_LENGTH) }, status: 422 };
  }
  const { retryAfterSeconds, giveBack } = await takeAll(limits, [
    // First, so that the codes that an address names create no counters once its own is used up.
    ['reports_per_address', clientAddress],
    ['reports_per_tag_and_address', `${code} ${clientAddress}`],
  ]);
  if (retryAfterSeconds !== null) {
    const problem = { field: null, text: language.texts.finder.tooManyOpenings };
    return { ok: false, problem, status: 429, retryAfterSeconds };
  }
  try {
    await database.asService({
      name: 'report_page',
      text: 'select internal.report_page($1, $2, $3)',
      values: [code, kind, trimmed],
    });
  } catch (error) {
    await giveBack();
    throw error;
  }
  return { ok: true };
}
