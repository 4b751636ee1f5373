import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import type { OwnerLettersWords } from '#domain/words/compiled/types.ts';
import type { MailContent } from './compose-mail.ts';

interface AddressWords {
  readonly product: string;
  readonly proveUrl: string;
  readonly disownUrl: string;
}

interface SignInWords {
  readonly product: string;
  readonly signInUrl: string;
}

/** Emails that notify owners of what happened to their account. They contain no codes. */
export function accountMail({ mail, addressProof }: OwnerLettersWords) {
  const { notConfirmed, accountExists, addressTaken, signIn } = mail;
  return {
    /** After the account was confirmed by phone: the address may have been mistyped. */
    addressProof: ({ product, proveUrl, disownUrl }: AddressWords): MailContent => ({
      subject: addressProof.subject(product),
      heading: mail.confirmation.heading,
      parts: [
        { kind: 'text', text: addressProof.text(product) },
        { kind: 'action', label: mail.confirmation.action, url: proveUrl },
        { kind: 'text', text: addressProof.howTo(UNPROVED_NOTICES) },
        { kind: 'aside', text: addressProof.aside },
        { kind: 'link', label: addressProof.disown, url: disownUrl },
      ],
    }),

    /** To an address that no account has confirmed, so it cannot recover one. */
    notConfirmed: ({
      product,
      signInUrl,
      registerUrl,
    }: SignInWords & { readonly registerUrl: string }): MailContent => ({
      subject: notConfirmed.subject(product),
      heading: notConfirmed.heading,
      parts: [
        { kind: 'text', text: notConfirmed.text },
        { kind: 'text', text: notConfirmed.byPhone },
        { kind: 'action', label: notConfirmed.signIn, url: signInUrl },
        { kind: 'text', text: notConfirmed.orRegister },
        { kind: 'link', label: notConfirmed.register, url: registerUrl },
        { kind: 'aside', text: mail.unasked },
      ],
    }),

    accountExists: ({ product, signInUrl }: SignInWords): MailContent => ({
      subject: accountExists.subject(product),
      heading: accountExists.subject(product),
      parts: [
        { kind: 'text', text: accountExists.text },
        { kind: 'action', label: signIn.action, url: signInUrl },
        { kind: 'aside', text: accountExists.aside },
      ],
    }),

    /** To the address of an existing account that another account requested. */
    addressTaken: ({ product, signInUrl }: SignInWords): MailContent => ({
      subject: addressTaken.subject(product),
      heading: addressTaken.subject(product),
      parts: [
        { kind: 'text', text: addressTaken.text },
        { kind: 'action', label: signIn.action, url: signInUrl },
        { kind: 'aside', text: addressTaken.aside },
      ],
    }),
  };
}
