import type { LettersWords } from '#domain/words/compiled/types.ts';
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

/** The emails to finders. They contain nothing of the owner, and no text that a person wrote. */
export function finderMail({ finderMail: { proof, reply, remove } }: LettersWords) {
  return {
    /** To an address that anyone may have entered. */
    proof: ({ productName, confirmUrl, stopUrl, linkHours }: FinderProof): MailContent => ({
      subject: proof.subject,
      heading: proof.heading,
      parts: [
        { kind: 'text', text: proof.text(productName) },
        { kind: 'action', label: proof.action, url: confirmUrl },
        { kind: 'text', text: proof.life(linkHours) },
        { kind: 'aside', text: proof.aside },
        { kind: 'link', label: remove, url: stopUrl },
      ],
    }),

    reply: ({ openUrl, stopUrl }: ReplyNotice): MailContent => ({
      subject: reply.subject,
      heading: reply.subject,
      parts: [
        { kind: 'text', text: reply.text },
        { kind: 'action', label: reply.action, url: openUrl },
        { kind: 'text', text: reply.aside },
        { kind: 'link', label: remove, url: stopUrl },
      ],
    }),
  };
}
