import type { MailContent } from './compose-mail.ts';

/** A one-time code in the words of the product. */
export interface CodeWords {
  readonly product: string;
  /** 6 digits. */
  readonly code: string;
  readonly minutes: number;
}

/** The same with a link that does what the code does. */
export interface LinkWords extends CodeWords {
  readonly link: string;
  readonly linkHours: number;
}

const NEVER_ASKED = 'We’ll never ask you for a code.';

function hours(count: number): string {
  return count === 1 ? 'one hour' : `${count} hours`;
}

/** E-mails that carry a code or a link, in English. */
export const mailEn = {
  confirmationMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
    subject: `${code} is your ${product} code`,
    heading: 'Confirm your email',
    parts: [
      { kind: 'text', text: `Enter this code to finish creating your ${product} account.` },
      { kind: 'code', code },
      { kind: 'text', text: `It works once, for ${minutes} minutes. Or confirm with one tap:` },
      { kind: 'action', label: 'Confirm my email', url: link },
      {
        kind: 'aside',
        text: `The link works once, for ${hours(linkHours)}. Didn’t ask for this? Someone entered your email by mistake. Do nothing, and nothing happens. ${NEVER_ASKED}`,
      },
    ],
  }),

  /** The code of a registration that took the place of another. It stands behind what to look at first. */
  newestRegistrationMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
    subject: `Confirm your ${product} account and choose a password`,
    heading: 'This address was registered more than once',
    parts: [
      {
        kind: 'text',
        text: `Somebody has created a ${product} account with this address more than once. If that was you, type this code:`,
      },
      { kind: 'code', code },
      {
        kind: 'text',
        text: `It works once, for ${minutes} minutes. We cannot tell which of the passwords was yours, so none of them counts: you choose a new one right after the code. Or confirm with one press:`,
      },
      { kind: 'action', label: 'Confirm my email', url: link },
      {
        kind: 'aside',
        text: `The link works once, for ${hours(linkHours)}. If it was not you, do nothing: without this message nobody can use the account. ${NEVER_ASKED}`,
      },
    ],
  }),

  signInMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
    subject: `${code} is your ${product} code`,
    heading: 'Your code to sign in',
    parts: [
      { kind: 'code', code },
      { kind: 'text', text: `It works once, for ${minutes} minutes. Or sign in with one tap:` },
      { kind: 'action', label: 'Sign in', url: link },
      {
        kind: 'aside',
        text: `The link works once, for ${hours(linkHours)}. Didn’t ask for this? Ignore this email: no one can sign in without the code. ${NEVER_ASKED}`,
      },
    ],
  }),

  recoveryMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
    subject: `Choose a new ${product} password`,
    heading: 'Choose a new password',
    parts: [
      { kind: 'text', text: `You asked to reset the password of your ${product} account.` },
      { kind: 'action', label: 'Choose a new password', url: link },
      {
        kind: 'text',
        text: `The link works once, for ${hours(linkHours)}. A new password signs out every other device.`,
      },
      { kind: 'aside', text: `If you’re asked for a code, it’s ${code}. It works for ${minutes} minutes.` },
      {
        kind: 'aside',
        text: 'Didn’t ask for this? Do nothing. Your password stays the same, and we told no one whether you have an account.',
      },
    ],
  }),

  /** To an address that no account has confirmed: it recovers none. */
  notConfirmedMail: ({
    product,
    signInUrl,
    registerUrl,
  }: {
    readonly product: string;
    readonly signInUrl: string;
    readonly registerUrl: string;
  }): MailContent => ({
    subject: `No ${product} account has confirmed this address`,
    heading: 'This address is not confirmed yet',
    parts: [
      {
        kind: 'text',
        text: 'You asked for a new password. No account has confirmed this e-mail address, so it cannot bring one back.',
      },
      { kind: 'text', text: 'Did you confirm your account by SMS? Sign in with a code to your phone:' },
      { kind: 'action', label: 'Sign in by phone', url: signInUrl },
      { kind: 'text', text: 'Or start with this address. The account will be yours alone:' },
      { kind: 'link', label: 'Create an account', url: registerUrl },
      { kind: 'aside', text: 'If you did not ask for this, do nothing.' },
    ],
  }),

  inviteMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
    subject: `You’re invited to ${product}`,
    heading: `You’re invited to ${product}`,
    parts: [
      {
        kind: 'text',
        text: `An account is waiting for you at ${product}, where people who find your things can reach you.`,
      },
      { kind: 'action', label: 'Accept the invitation', url: link },
      { kind: 'aside', text: `The link works once, for ${hours(linkHours)}.` },
      { kind: 'aside', text: `If you’re asked for a code, it’s ${code}. It works for ${minutes} minutes.` },
      { kind: 'aside', text: 'Don’t want an account? Just ignore this email.' },
    ],
  }),

  /** To the new address: it is proved by whoever reads this. */
  emailChangeMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
    subject: `Confirm your new ${product} address`,
    heading: 'Confirm your new email',
    parts: [
      { kind: 'text', text: `You asked to use this email for your ${product} account.` },
      { kind: 'action', label: 'Use this address', url: link },
      { kind: 'text', text: `The link works once, for ${hours(linkHours)}.` },
      { kind: 'aside', text: `If you’re asked for a code, it’s ${code}. It works for ${minutes} minutes.` },
      { kind: 'aside', text: 'Didn’t ask for this? Do nothing, and this email won’t be used.' },
    ],
  }),

  /** To the address that the account has: its owner agrees to the change. */
  emailChangeCurrentMail: ({
    product,
    code,
    minutes,
    link,
    linkHours,
    newAddress,
  }: LinkWords & { readonly newAddress: string }): MailContent => ({
    subject: `Confirm the change of your ${product} email`,
    heading: 'Do you want to change your email?',
    parts: [
      {
        kind: 'text',
        text: `You asked to change the email of your ${product} account from this one to ${newAddress}. It changes once both addresses confirm.`,
      },
      { kind: 'action', label: 'Yes, change it', url: link },
      { kind: 'text', text: `The link works once, for ${hours(linkHours)}.` },
      { kind: 'aside', text: `If you’re asked for a code, it’s ${code}. It works for ${minutes} minutes.` },
      {
        kind: 'aside',
        text: 'Wasn’t you? Don’t confirm. Sign in, choose a new password, and check the list of devices in your profile.',
      },
    ],
  }),

  reauthenticationMail: ({ product, code, minutes }: CodeWords): MailContent => ({
    subject: `${code} is your ${product} code`,
    heading: 'Your verification code',
    parts: [
      { kind: 'text', text: 'Enter this code where you’re changing your account.' },
      { kind: 'code', code },
      { kind: 'text', text: `It works once, for ${minutes} minutes.` },
      {
        kind: 'aside',
        text: `Didn’t ask for this? Someone else may be signed in to your account. Sign in and choose a new password. ${NEVER_ASKED}`,
      },
    ],
  }),

  accountExistsMail: ({
    product,
    signInUrl,
  }: {
    readonly product: string;
    readonly signInUrl: string;
  }): MailContent => ({
    subject: `You already have a ${product} account`,
    heading: `You already have a ${product} account`,
    parts: [
      {
        kind: 'text',
        text: 'Someone, probably you, just tried to create an account with this email. You already have one.',
      },
      { kind: 'action', label: 'Sign in', url: signInUrl },
      {
        kind: 'aside',
        text: 'Wasn’t you? There’s nothing to do. Nothing changed, and we told no one that you have an account.',
      },
    ],
  }),

  /** To an address that has an account, which another account asked to have. */
  addressTakenMail: ({
    product,
    signInUrl,
  }: {
    readonly product: string;
    readonly signInUrl: string;
  }): MailContent => ({
    subject: `Your address already has a ${product} account`,
    heading: `Your address already has a ${product} account`,
    parts: [
      {
        kind: 'text',
        text: 'Another account asked to use this address. It belongs to yours and stays there.',
      },
      { kind: 'action', label: 'Sign in', url: signInUrl },
      {
        kind: 'aside',
        text: 'Was it you, in another account of yours? Change or delete this account first. If it was not you, there is nothing to do: the other account has not been told that you have an account.',
      },
    ],
  }),
};
