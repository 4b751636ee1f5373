import type { MailContent } from './compose-mail.ts';

interface AddressWords {
  readonly product: string;
  readonly proveUrl: string;
  readonly disownUrl: string;
}

/** E-mails that tell somebody what happened to their account, in English. They hold no code. */
export const accountMailEn = {
  /** After a phone confirmed the account: whether the address was typed right is not known yet. */
  addressProof: ({ product, proveUrl, disownUrl }: AddressWords): MailContent => ({
    subject: `Is this your address, for ${product}?`,
    heading: 'Is this your e-mail address?',
    parts: [
      {
        kind: 'text',
        text: `A ${product} account was just created with this address and confirmed by phone. When somebody finds one of its things, we write here.`,
      },
      { kind: 'action', label: 'Yes, it is mine', url: proveUrl },
      {
        kind: 'text',
        text: 'Open this in the browser where you are signed in. Until you confirm it we send at most three notices to this address, and it cannot bring back a forgotten password.',
      },
      { kind: 'aside', text: 'You did not create an account? Then somebody typed your address by mistake:' },
      { kind: 'link', label: 'This is not me: take my address off', url: disownUrl },
    ],
  }),

  passwordChanged: ({ product, resetUrl }: { readonly product: string; readonly resetUrl: string }): MailContent => ({
    subject: `Your ${product} password was changed`,
    heading: 'Your password was changed',
    parts: [
      { kind: 'text', text: 'Your new password works now. Every other device was signed out.' },
      { kind: 'aside', text: 'Wasn’t you? Someone else may be in your account. Choose a new password right away:' },
      { kind: 'link', label: 'Choose a new password', url: resetUrl },
    ],
  }),

  /** To the address that the account had before. */
  emailChanged: ({ product }: { readonly product: string }): MailContent => ({
    subject: `Your ${product} address was changed`,
    heading: 'Your account has a new email address',
    parts: [
      { kind: 'text', text: `From now on, ${product} writes to the new address instead of this one.` },
      {
        kind: 'aside',
        text: 'Wasn’t you? Someone else may be signed in to your account. On a device where you’re still signed in, change the address back and choose a new password.',
      },
    ],
  }),

  phoneChanged: ({ product, resetUrl }: { readonly product: string; readonly resetUrl: string }): MailContent => ({
    subject: `Your ${product} phone number was changed`,
    heading: 'Your account has a new phone number',
    parts: [
      { kind: 'text', text: 'From now on, we text codes to the new number.' },
      { kind: 'aside', text: 'Wasn’t you? Someone else may be in your account. Choose a new password right away:' },
      { kind: 'link', label: 'Choose a new password', url: resetUrl },
    ],
  }),

  newSignIn: ({
    product,
    device,
    at,
    resetUrl,
  }: {
    readonly product: string;
    /** Short words such as "Firefox on Linux". */
    readonly device: string;
    /** In words, in UTC. */
    readonly at: string;
    readonly resetUrl: string;
  }): MailContent => ({
    subject: `New sign-in to your ${product} account`,
    heading: 'New sign-in to your account',
    parts: [
      { kind: 'text', text: `${device}, ${at}.` },
      { kind: 'text', text: 'If that was you, there’s nothing to do.' },
      {
        kind: 'aside',
        text: 'Wasn’t you? Choose a new password. It signs out every device. Your profile lists where you’re signed in.',
      },
      { kind: 'link', label: 'Choose a new password', url: resetUrl },
    ],
  }),
};
