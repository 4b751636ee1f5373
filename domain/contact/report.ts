/** What a finder may report a page for. The database has the same list. */
export const REPORT_KINDS = ['planted', 'abuse', 'wrong_item'] as const;

export type ReportKind = (typeof REPORT_KINDS)[number];

/** What an owner may report a finder for. The database has the same list. */
export const FINDER_REPORT_KINDS = ['harassment', 'fraud', 'spam', 'other'] as const;

export type FinderReportKind = (typeof FINDER_REPORT_KINDS)[number];

/** The most characters (code points) of the text with a report; as in the database. */
export const REPORT_LENGTH = 500;

/** Why a report was refused, and which field of the form is about it. */
export interface ReportProblem {
  /** Null where it is about none. */
  readonly field: 'kind' | 'body' | null;
  readonly text: string;
}

export function isReportKind(text: string): text is ReportKind {
  return (REPORT_KINDS as readonly string[]).includes(text);
}
