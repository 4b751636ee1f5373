import type { FinderReportKind } from '../../contact/report.ts';

const kinds: Readonly<Record<FinderReportKind, string>> = {
  harassment: 'They threaten or harass me',
  fraud: 'They want money, a password, or a code from me',
  spam: 'They advertise something',
  other: 'Something else',
};

/** An owner's report of a finder, in English. */
export const reportFinderEn = {
  report: 'Report',
  title: (finder: string) => `Report ${finder}?`,
  what: 'What’s wrong?',
  kinds,
  words: 'Details (optional)',
  /** What the operator learns. */
  hint: (product: string) =>
    `The people who run ${product} see your choice, your words, your account, and the sticker’s code. The report has no messages, so quote what matters. It doesn’t say who the finder is, and the finder isn’t told.`,
  send: 'Send report',
  sending: 'Sending...',
  cancel: 'Cancel',
  chooseFirst: 'Choose what’s wrong.',
  sent: (product: string) => `Thank you. The people who run ${product} will look at your report.`,
  waiting: 'Not sent yet. We’re trying again...',
  refused: 'We couldn’t send the report. Please try again later.',
} as const;
