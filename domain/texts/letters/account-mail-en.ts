import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import type { MailContent } from './compose-mail.ts';

interface AddressWords {
  readonly product: string;
  readonly proveUrl: string;
  readonly disownUrl: string;
}

/** Emails that notify owners of what happened to their account, in English. They contain no codes. */
export const accountMailEn = {
  /** After the account was confirmed by phone: the address may have been mistyped. */
  addressProof: ({ product, proveUrl, disownUrl }: AddressWords): MailContent => ({
    subject: `Confirm your email for ${product}`,
    heading: 'Confirm your email',
    parts: [
      {
        kind: 'text',
        text: `Someone just created a ${product} account with this email and confirmed it by phone. If that was you, confirm your email so we can tell you when someone finds your things.`,
      },
      { kind: 'action', label: 'Confirm my email', url: proveUrl },
      {
        kind: 'text',
        text: `Open the link in the browser where you’re signed in. Until you confirm, we’ll email you about only ${UNPROVED_NOTICES} conversations, and you can’t reset your password by email.`,
      },
      { kind: 'aside', text: 'Wasn’t you? Someone probably entered your email by mistake. You can remove it:' },
      { kind: 'link', label: 'This isn’t me. Remove my email', url: disownUrl },
    ],
  }),
};
