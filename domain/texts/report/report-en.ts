import type { ReportKind } from '../../contact/report.ts';

const kinds: Readonly<Record<ReportKind, string>> = {
  planted: 'Someone put the sticker there to mislead people',
  abuse: 'The page is abusive, or asks for something it shouldn’t',
  wrong_item: 'This isn’t the item I found',
};

/** The texts of the page on which a finder reports another page, in English. */
export const reportEn = {
  title: 'Report this page',
  pageTitle: (product: string) => `Report a page – ${product}`,
  about: (item: string) => `You’re reporting the page of “${item}”.`,
  what: 'What’s wrong?',
  kinds,
  words: 'Details (optional)',
  /** What the operator learns. */
  hint: (product: string) =>
    `The people who run ${product} see your choice, your words, and the address of this page. They don’t see who you are. We don’t tell the owner.`,
  send: 'Send report',
  chooseFirst: 'Choose what’s wrong.',
  tooLong: (limit: number) => `Keep it to ${limit} characters or fewer.`,
  sentTitle: 'Thank you for your report',
  sentText: (product: string) => `The people who run ${product} will look at it.`,
  back: 'Back to the item’s page',
};
