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
    subject: 'Confirm your email to get replies about the item you found',
    heading: 'Do you want an email when there’s a reply?',
    parts: [
      {
        kind: 'text',
        text: `Someone found something, wrote to its owner on ${productName}, and asked us to email replies to this address. If that was you, confirm your email.`,
      },
      { kind: 'action', label: 'Confirm my email', url: confirmUrl },
      { kind: 'text', text: `The link works for ${linkHours} hours.` },
      {
        kind: 'aside',
        text: 'Wasn’t you? Do nothing, and we won’t send you any replies. Or remove your email now:',
      },
      { kind: 'link', label: 'Remove my email', url: stopUrl },
    ],
  }),

  reply: ({ openUrl, stopUrl }: ReplyNotice): MailContent => ({
    subject: 'New reply about the item you found',
    heading: 'New reply about the item you found',
    parts: [
      { kind: 'text', text: 'Open the conversation to read it and write back.' },
      { kind: 'action', label: 'Open the conversation', url: openUrl },
      {
        kind: 'text',
        text: 'Don’t forward this email: anyone with the link can read the conversation and write as you. We won’t email you again until you open the conversation.',
      },
      { kind: 'link', label: 'Remove my email', url: stopUrl },
    ],
  }),
};
