import type { ChangesWords, OwnerLettersWords } from '#domain/words/compiled/types.ts';
import { deviceInWords } from '../device-in-words.ts';
import type { MailContent, MailPart } from './compose-mail.ts';

/** The parameters of a text with a one-time code. */
export interface CodeWords {
  readonly product: string;
  /** 6 digits. */
  readonly code: string;
  readonly minutes: number;
}

/** The same with a link that has the same effect as the code. */
export interface LinkWords extends Omit<CodeWords, 'code'> {
  /** 6 digits. Null while codes are off: only the link works. */
  readonly code: string | null;
  readonly link: string;
  readonly linkHours: number;
}

export interface SignInWords extends LinkWords {
  readonly device: string;
}

const text = (of: string): MailPart => ({ kind: 'text', text: of });
const aside = (of: string): MailPart => ({ kind: 'aside', text: of });
const action = (label: string, url: string): MailPart => ({ kind: 'action', label, url });

/** Emails with a code or a link. */
export function codeMail({ mail: words }: OwnerLettersWords, changes: ChangesWords) {
  const { confirmation, signIn, recovery, invite, emailChange, emailChangeCurrent, reauthentication } = words;

  /** For an email whose link comes first. */
  const codeAside = ({ code, minutes }: Pick<LinkWords, 'code' | 'minutes'>): readonly MailPart[] =>
    code === null ? [] : [aside(words.code.life({ code, minutes }))];

  return {
    confirmationMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
      subject: code === null ? confirmation.subject(product) : words.codeSubject({ code, product }),
      heading: confirmation.heading,
      parts: [
        ...(code === null
          ? [text(confirmation.tap(product))]
          : [
              text(confirmation.enterCode(product)),
              { kind: 'code', code } as const,
              text(confirmation.orTap(minutes)),
            ]),
        action(confirmation.action, link),
        aside(confirmation.aside(linkHours)),
      ],
    }),

    /** `device` names the one that asked; empty for an operator's link. */
    signInMail: ({ product, code, minutes, link, linkHours, device }: SignInWords): MailContent => ({
      subject: code === null ? signIn.subject(product) : words.codeSubject({ code, product }),
      heading: code === null ? signIn.headingLink : signIn.headingCode,
      parts: [
        ...(code === null ? [text(signIn.tap)] : [{ kind: 'code', code } as const, text(signIn.orTap(minutes))]),
        action(signIn.action, link),
        ...(device === '' ? [] : [text(signIn.device(deviceInWords(device, changes)))]),
        aside(signIn.aside(linkHours)),
      ],
    }),

    recoveryMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
      subject: recovery.subject(product),
      heading: recovery.heading,
      parts: [
        text(recovery.text(product)),
        action(recovery.heading, link),
        text(recovery.life(linkHours)),
        ...codeAside({ code, minutes }),
        aside(recovery.aside),
      ],
    }),

    inviteMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
      subject: invite.subject(product),
      heading: invite.subject(product),
      parts: [
        text(invite.text(product)),
        action(invite.action, link),
        aside(words.code.linkLife(linkHours)),
        ...codeAside({ code, minutes }),
        aside(invite.aside),
      ],
    }),

    /** To the new address: following the link proves it. */
    emailChangeMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
      subject: emailChange.subject(product),
      heading: emailChange.heading,
      parts: [
        text(emailChange.text(product)),
        action(emailChange.action, link),
        text(words.code.linkLife(linkHours)),
        ...codeAside({ code, minutes }),
        aside(words.unasked),
      ],
    }),

    /** To the current address: its owner agrees to the change. */
    emailChangeCurrentMail: ({
      product,
      code,
      minutes,
      link,
      linkHours,
      newAddress,
    }: LinkWords & { readonly newAddress: string }): MailContent => ({
      subject: emailChangeCurrent.subject(product),
      heading: emailChangeCurrent.heading,
      parts: [
        text(emailChangeCurrent.text({ product, newAddress })),
        action(emailChangeCurrent.action, link),
        text(words.code.linkLife(linkHours)),
        ...codeAside({ code, minutes }),
        aside(emailChangeCurrent.aside),
      ],
    }),

    reauthenticationMail: ({ product, code, minutes }: CodeWords): MailContent => ({
      subject: words.codeSubject({ code, product }),
      heading: reauthentication.heading,
      parts: [
        text(reauthentication.text),
        { kind: 'code', code },
        text(words.code.works(minutes)),
        aside(reauthentication.aside),
      ],
    }),
  };
}
