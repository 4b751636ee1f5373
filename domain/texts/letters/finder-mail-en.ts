import type { MailContent } from './compose-mail.ts';

/** The parameters of the email that asks whether an address is the finder's. */
export interface FinderProof {
  readonly productName: string;
  readonly confirmUrl: string;
  /** Removes the address. */
  readonly stopUrl: string;
  readonly linkHours: number;
}

/** The parameters of the email about replies. */
export interface ReplyNotice {
  /** Opens the conversation. */
  readonly openUrl: string;
  /** Removes the address. */
  readonly stopUrl: string;
}

/** The emails to finders, in English. They contain nothing of the owner, and no text that a person wrote. */
export const finderMailEn = {
  /** To an address that anyone may have entered. */
  proof: ({ productName, confirmUrl, stopUrl, linkHours }: FinderProof): MailContent => ({
    subject: 'Confirm your email to hear about the thing you found',
    heading: 'Do you want an email when there’s an answer?',
    parts: [
      {
        kind: 'text',
        text: `Someone, probably you, found something, wrote to its owner on ${productName}, and left this address.`,
      },
      { kind: 'action', label: 'Confirm my email', url: confirmUrl },
      { kind: 'text', text: `The link works for ${linkHours} hours.` },
      {
        kind: 'aside',
        text: 'Wasn’t you? Do nothing, and you’ll get no emails about it. Or remove your address now:',
      },
      { kind: 'link', label: 'Remove my email', url: stopUrl },
    ],
  }),

  reply: ({ openUrl, stopUrl }: ReplyNotice): MailContent => ({
    subject: 'There is an answer about the thing you found',
    heading: 'There is an answer about the thing you found',
    parts: [
      { kind: 'text', text: 'Open the conversation to read it and to write back.' },
      { kind: 'action', label: 'Open the conversation', url: openUrl },
      {
        kind: 'text',
        text: 'Keep this email to yourself: anyone with the link can read the conversation and write as you. We send no other email until you’ve looked.',
      },
      { kind: 'link', label: 'Remove my email', url: stopUrl },
    ],
  }),
};
