import { type MailContent, oneLine } from './compose-mail.ts';

/** What an owner is told of a finder's message. */
export interface MessageNotice {
  readonly productName: string;
  readonly itemName: string;
  /** As the finder wrote it: data, never markup. */
  readonly body: string;
  /** The item's page, where the owner reads it. */
  readonly link: string;
  /** What is asked of an address that nobody has proved; null for one that somebody has. */
  readonly question: {
    readonly proveUrl: string;
    readonly disownUrl: string;
    /** No more notices go there until it is answered. */
    readonly isLast: boolean;
  } | null;
}

/** The e-mail that carries a finder's message to an owner, in English. It names nobody and holds nobody's address. */
export function messageNoticeEn({ productName, itemName, body, link, question }: MessageNotice): MailContent {
  const item = oneLine(itemName);
  return {
    subject: `Somebody found your ${item}`,
    heading: `Somebody found your ${item} and wrote:`,
    parts: [
      { kind: 'quote', text: body },
      { kind: 'action', label: `Read and answer it on ${productName}`, url: link },
      { kind: 'text', text: 'Neither of you sees the other’s address.' },
      {
        kind: 'aside',
        text: 'The words above are the finder’s own. Be careful with links in them, and never send money in advance.',
      },
      ...(question === null
        ? []
        : ([
            {
              kind: 'text',
              text: question.isLast
                ? 'This is the last notice to this address until you say that it is yours. Messages wait for you in your account all the same.'
                : 'Nobody has said yet that this address is yours. After three notices we stop writing here until somebody does.',
            },
            { kind: 'link', label: 'Yes, this address is mine', url: question.proveUrl },
            { kind: 'link', label: 'This is not me: take my address off', url: question.disownUrl },
          ] as const)),
    ],
  };
}
