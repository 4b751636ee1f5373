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

  passwordChanged: ({ product, resetUrl }: { readonly product: string; readonly resetUrl: string }): MailContent => ({
    subject: `Your ${product} password was changed`,
    heading: 'Your password was changed',
    parts: [
      { kind: 'text', text: 'Use your new password from now on. We signed you out on every other device.' },
      { kind: 'aside', text: 'Wasn’t you? Someone else may be in your account. Choose a new password right away:' },
      { kind: 'link', label: 'Choose a new password', url: resetUrl },
    ],
  }),

  /** To the account's previous address. */
  emailChanged: ({ product }: { readonly product: string }): MailContent => ({
    subject: `Your ${product} email was changed`,
    heading: 'Your account has a new email address',
    parts: [
      { kind: 'text', text: 'From now on, we’ll email your new address instead of this one.' },
      {
        kind: 'aside',
        text: 'Wasn’t you? Someone else may be signed in to your account. On a device where you’re still signed in, change your email back and choose a new password.',
      },
    ],
  }),

  phoneChanged: ({ product, resetUrl }: { readonly product: string; readonly resetUrl: string }): MailContent => ({
    subject: `Your ${product} phone number was changed`,
    heading: 'Your account has a new phone number',
    parts: [
      { kind: 'text', text: 'From now on, we’ll text codes to your new number.' },
      { kind: 'aside', text: 'Wasn’t you? Someone else may be in your account. Choose a new password right away:' },
      { kind: 'link', label: 'Choose a new password', url: resetUrl },
    ],
  }),

  noticeAddressAdded: ({
    product,
    host,
    profileUrl,
    resetUrl,
  }: {
    readonly product: string;
    /** Of the new address. */
    readonly host: string;
    readonly profileUrl: string;
    readonly resetUrl: string;
  }): MailContent => ({
    subject: `Your ${product} account has a new notification address`,
    heading: 'Your account has a new notification address',
    parts: [
      { kind: 'text', text: `From now on, ${product} notifies ${host} when a finder writes.` },
      { kind: 'text', text: 'If you added it, you don’t need to do anything.' },
      {
        kind: 'aside',
        text: 'Wasn’t you? Someone else may be in your account. Remove the address in your profile and choose a new password right away:',
      },
      { kind: 'link', label: 'Choose a new password', url: resetUrl },
      { kind: 'link', label: 'Open your profile', url: profileUrl },
    ],
  }),

  newSignIn: ({
    product,
    device,
    at,
    resetUrl,
  }: {
    readonly product: string;
    /** A short description such as "Firefox on Linux". */
    readonly device: string;
    /** A readable time, in UTC. */
    readonly at: string;
    readonly resetUrl: string;
  }): MailContent => ({
    subject: `New sign-in to your ${product} account`,
    heading: 'New sign-in to your account',
    parts: [
      { kind: 'text', text: `Device: ${device}` },
      { kind: 'text', text: `Time: ${at}` },
      { kind: 'text', text: 'If that was you, you don’t need to do anything.' },
      {
        kind: 'aside',
        text: 'Wasn’t you? Choose a new password right away. That signs out every other device. Your profile shows where you’re signed in.',
      },
      { kind: 'link', label: 'Choose a new password', url: resetUrl },
    ],
  }),
};
