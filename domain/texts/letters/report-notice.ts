import { itemPage } from '#domain/words/compiled/en/item-page.ts';
import { report } from '#domain/words/compiled/en/report.ts';
import type { FinderReportKind, ReportKind } from '../../contact/report.ts';
import type { MailContent } from './compose-mail.ts';

/** The parameters of an email to the operator about a report. */
export interface ReportNotice {
  readonly productName: string;
  readonly id: string;
  readonly kind: ReportKind;
  /** As it was written; never interpreted as markup. */
  readonly body: string | null;
  /** The page that was reported. */
  readonly link: string;
}

/** The email about one report, in English, which operators read. It contains no name, and nothing of the account that the page belongs to. */
export function reportNotice({ productName, id, kind, body, link }: ReportNotice): MailContent {
  return {
    subject: `Someone reported a page on ${productName}`,
    heading: `${report.kinds[kind]}.`,
    parts: [
      ...(body === null ? [] : [{ kind: 'quote', text: body } as const]),
      { kind: 'action', label: 'Open the page', url: link },
      { kind: 'text', text: 'To see or close the report, run:' },
      { kind: 'text', text: `npm run reunite -- reports show ${id}` },
      { kind: 'text', text: `npm run reunite -- reports close ${id}` },
      { kind: 'aside', text: 'A stranger sent this report. Be careful with links.' },
    ],
  };
}

/** The parameters of an email to the operator about an owner's report of a finder. */
export interface FinderReportNotice extends Omit<ReportNotice, 'kind' | 'link'> {
  readonly kind: FinderReportKind;
}

/** The email about an owner's report of a finder, in English. It contains nothing of the owner but the words. */
export function finderReportNotice({ productName, id, kind, body }: FinderReportNotice): MailContent {
  return {
    subject: `An owner reported a finder on ${productName}`,
    heading: `“${itemPage.reportFinder.kinds[kind]}”`,
    parts: [
      ...(body === null ? [] : [{ kind: 'quote', text: body } as const]),
      { kind: 'text', text: 'To see or close the report, run:' },
      { kind: 'text', text: `npm run reunite -- reports show ${id}` },
      { kind: 'text', text: `npm run reunite -- reports close ${id}` },
      { kind: 'aside', text: 'An owner sent this report. Be careful with links.' },
    ],
  };
}

/** The parameters of the email about further reports of a day. */
export interface ReportDigest {
  readonly productName: string;
  /** How many reports are open. */
  readonly count: number;
}

/** The email about the reports of a day that were not mailed one by one. */
export function reportDigest({ productName, count }: ReportDigest): MailContent {
  const reports = count === 1 ? '1 open report' : `${count} open reports`;
  return {
    subject: `${reports} on ${productName}`,
    heading: reports,
    parts: [
      { kind: 'text', text: 'When many reports come in one day, we send one email for the rest. To list them, run:' },
      { kind: 'text', text: 'npm run reunite -- reports list' },
    ],
  };
}
