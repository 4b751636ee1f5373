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

const NEVER_ASKED = 'We’ll never ask you for a code.';

function hours(count: number): string {
  return count === 1 ? 'one hour' : `${count} hours`;
}

/** For an email whose link comes first. */
function codeAside({ code, minutes }: Pick<LinkWords, 'code' | 'minutes'>): readonly MailPart[] {
  if (code === null) return [];
  return [{ kind: 'aside', text: `If you’re asked for a code, it’s ${code}. It works for ${minutes} minutes.` }];
}

/** Emails with a code or a link, in English. */
export const mailEn = {
  confirmationMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
    subject: code === null ? `Confirm your ${product} account` : `${code} is your ${product} code`,
    heading: 'Confirm your email',
    parts: [
      ...(code === null
        ? [{ kind: 'text', text: `Confirm with one tap to finish creating your ${product} account.` } as const]
        : ([
            { kind: 'text', text: `Enter this code to finish creating your ${product} account.` },
            { kind: 'code', code },
            { kind: 'text', text: `It works once, for ${minutes} minutes. Or confirm with one tap:` },
          ] as const)),
      { kind: 'action', label: 'Confirm my email', url: link },
      {
        kind: 'aside',
        text: `The link works once, for ${hours(linkHours)}. Didn’t ask for this? Someone probably entered your email by mistake. You don’t need to do anything. ${NEVER_ASKED}`,
      },
    ],
  }),

  /** `device` names the one that asked; empty for an operator's link. */
  signInMail: ({ product, code, minutes, link, linkHours, device }: SignInWords): MailContent => ({
    subject: code === null ? `Sign in to ${product}` : `${code} is your ${product} code`,
    heading: code === null ? 'Your link to sign in' : 'Your code to sign in',
    parts: [
      ...(code === null
        ? [{ kind: 'text', text: 'Sign in with one tap:' } as const]
        : ([
            { kind: 'code', code },
            { kind: 'text', text: `It works once, for ${minutes} minutes. Or sign in with one tap:` },
          ] as const)),
      { kind: 'action', label: 'Sign in', url: link },
      ...(device === '' ? [] : [{ kind: 'text', text: `Requested from: ${device}` } as const]),
      {
        kind: 'aside',
        text: `The link works once, for ${hours(linkHours)}. Didn’t ask for this? Ignore this email: no one can sign in without it. ${NEVER_ASKED}`,
      },
    ],
  }),

  recoveryMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
    subject: `Choose a new ${product} password`,
    heading: 'Choose a new password',
    parts: [
      { kind: 'text', text: `You asked to reset your ${product} password.` },
      { kind: 'action', label: 'Choose a new password', url: link },
      {
        kind: 'text',
        text: `The link works once, for ${hours(linkHours)}. A new password signs out every other device.`,
      },
      ...codeAside({ code, minutes }),
      {
        kind: 'aside',
        text: 'Didn’t ask for this? Ignore this email. Your password stays the same, and we didn’t tell anyone whether you have an account.',
      },
    ],
  }),

  /** To an address that no account has confirmed, so it cannot recover one. */
  notConfirmedMail: ({
    product,
    signInUrl,
    registerUrl,
  }: {
    readonly product: string;
    readonly signInUrl: string;
    readonly registerUrl: string;
  }): MailContent => ({
    subject: `Your email isn’t confirmed for ${product}`,
    heading: 'We can’t reset your password by email',
    parts: [
      {
        kind: 'text',
        text: 'You asked for a new password. This email isn’t confirmed for any account yet, so we can’t send a reset link.',
      },
      { kind: 'text', text: 'Did you confirm your account by phone? Sign in with a code we text you:' },
      { kind: 'action', label: 'Sign in by phone', url: signInUrl },
      { kind: 'text', text: 'Or create a new account with this email:' },
      { kind: 'link', label: 'Create an account', url: registerUrl },
      { kind: 'aside', text: 'Didn’t ask for this? Ignore this email. Nothing changes.' },
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
      ...codeAside({ code, minutes }),
      { kind: 'aside', text: 'Don’t want an account? Ignore this email.' },
    ],
  }),

  /** To the new address: following the link proves it. */
  emailChangeMail: ({ product, code, minutes, link, linkHours }: LinkWords): MailContent => ({
    subject: `Confirm your new email for ${product}`,
    heading: 'Confirm your new email',
    parts: [
      { kind: 'text', text: `You asked to use this email for your ${product} account.` },
      { kind: 'action', label: 'Use this email', url: link },
      { kind: 'text', text: `The link works once, for ${hours(linkHours)}.` },
      ...codeAside({ code, minutes }),
      { kind: 'aside', text: 'Didn’t ask for this? Ignore this email. Nothing changes.' },
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
    subject: `Confirm your ${product} email change`,
    heading: 'Do you want to change your email?',
    parts: [
      {
        kind: 'text',
        text: `You asked to change the email of your ${product} account from this one to ${newAddress}. It changes once you confirm at both addresses.`,
      },
      { kind: 'action', label: 'Yes, change it', url: link },
      { kind: 'text', text: `The link works once, for ${hours(linkHours)}.` },
      ...codeAside({ code, minutes }),
      {
        kind: 'aside',
        text: 'Wasn’t you? Don’t confirm. Sign in and choose a new password. Your profile shows where you’re signed in.',
      },
    ],
  }),

  reauthenticationMail: ({ product, code, minutes }: CodeWords): MailContent => ({
    subject: `${code} is your ${product} code`,
    heading: 'Your verification code',
    parts: [
      { kind: 'text', text: 'Enter this code to confirm it’s you.' },
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
        text: 'Someone just tried to create an account with this email. If that was you, sign in to the account you already have.',
      },
      { kind: 'action', label: 'Sign in', url: signInUrl },
      {
        kind: 'aside',
        text: 'Wasn’t you? You don’t need to do anything. Nothing changed, and we didn’t tell anyone that you have an account.',
      },
    ],
  }),

  /** To the address of an existing account that another account requested. */
  addressTakenMail: ({
    product,
    signInUrl,
  }: {
    readonly product: string;
    readonly signInUrl: string;
  }): MailContent => ({
    subject: `Your email already has a ${product} account`,
    heading: `Your email already has a ${product} account`,
    parts: [
      {
        kind: 'text',
        text: 'Someone asked to use this email for another account. It stays with yours.',
      },
      { kind: 'action', label: 'Sign in', url: signInUrl },
      {
        kind: 'aside',
        text: 'Was that you? Change the email of this account first, or delete the account. Wasn’t you? You don’t need to do anything. We didn’t tell them that you have an account.',
      },
    ],
  }),
};
