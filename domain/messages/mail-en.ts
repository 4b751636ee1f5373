/** A one-time code in the words of the product. */
export interface CodeWords {
  readonly product: string;
  /** 6 digits. */
  readonly code: string;
  readonly minutes: number;
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

interface WayToRegister {
  readonly product: string;
  readonly registerUrl: string;
}

/** E-mails and text messages of the account service, in English. Plain text; nothing in them needs a link to be clicked. */
export const mailEn = {
  confirmationMail: ({ product, code, minutes }: CodeWords): MailText => ({
    subject: `${code} is your ${product} code`,
    text: [
      `Your code is ${code}`,
      '',
      `Type it where you are creating your ${product} account. It works once, for ${minutes} minutes.`,
      '',
      `If it was not you who just asked for it, somebody typed your address by mistake: leave the code unused and`,
      'nothing happens. Nobody from us will ever ask you for it.',
      '',
      product,
    ].join('\n'),
  }),

  /** The code of a registration that took the place of another. It stands behind what to look at first. */
  newestRegistrationMail: ({ product, code, minutes, registerUrl }: CodeWords & WayToRegister): MailText => ({
    subject: `Your ${product} code, if you registered just now`,
    text: [
      `Somebody has registered with this address at ${product} more than once. Only the newest registration counts,`,
      'with the password that was typed in it. It was made just before this message was sent.',
      '',
      `If that was you, your code is ${code}`,
      `It works once, for ${minutes} minutes.`,
      '',
      'If you registered earlier, or not at all, somebody else has used your address since: leave this code unused.',
      `To create your account, register again and type the code that comes then: ${registerUrl}`,
      '',
      product,
    ].join('\n'),
  }),

  registerAgainMail: ({ product, registerUrl }: WayToRegister): MailText => ({
    subject: `Please register with ${product} again`,
    text: [
      `You asked for a new ${product} code. Somebody has registered with this address more than once, and the newest`,
      'registration may not be yours. So we send no code for it, and the ones that we sent no longer work.',
      '',
      `To create your account, register again and type the code that comes then: ${registerUrl}`,
      '',
      'If it was not you who asked, there is nothing to do: without a code nobody can use the account.',
      '',
      product,
    ].join('\n'),
  }),

  signInMail: ({ product, code, minutes }: CodeWords): MailText => ({
    subject: `${code} is your ${product} code`,
    text: [
      `Your code to sign in is ${code}`,
      '',
      `It works once, for ${minutes} minutes.`,
      '',
      'If it was not you who just asked for it, leave it unused: nobody can sign in without it. Nobody from us will',
      'ever ask you for it.',
      '',
      product,
    ].join('\n'),
  }),

  /**
   * The last line binds the code to our own site, so that phones fill it in there and nowhere else
   * (https://wicg.github.io/sms-one-time-codes/).
   */
  codeSms: ({ product, code, minutes, host }: CodeWords & { readonly host: string }): string =>
    `${code} is your ${product} code, for ${minutes} minutes. Not you? Leave it unused.\n\n@${host} #${code}`,

  /** The code of a registration that took the place of another. */
  newestRegistrationSms: ({ product, code, minutes, host }: CodeWords & { readonly host: string }): string =>
    `${code} is your ${product} code, for ${minutes} minutes, if you registered just now. If not, leave it and register again.\n\n@${host} #${code}`,

  registerAgainSms: ({ product }: { readonly product: string }): string =>
    `${product}: somebody registered with your address more than once, so we send no new code. Please register again.`,

  accountExistsMail: ({ product, signInUrl }: { readonly product: string; readonly signInUrl: string }): MailText => ({
    subject: `You already have a ${product} account`,
    text: [
      `Somebody, probably you, just tried to create a ${product} account with this address. There is one already.`,
      '',
      `Sign in here: ${signInUrl}`,
      '',
      'If it was not you, there is nothing to do: nothing has changed, and whoever it was has not been told that you',
      'have an account.',
      '',
      product,
    ].join('\n'),
  }),
};
