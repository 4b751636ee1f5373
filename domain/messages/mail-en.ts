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
