import type { CodeWords } from './mail-en.ts';

/** Text messages of the account service, in English. */
export const smsEn = {
  /**
   * The last line binds the code to our own site, so that phones fill it in there and nowhere else
   * (https://wicg.github.io/sms-one-time-codes/).
   */
  code: ({ product, code, minutes, host }: CodeWords & { readonly host: string }): string =>
    `${code} is your ${product} code, for ${minutes} minutes. Not you? Leave it unused.\n\n@${host} #${code}`,

  /** To the number of an account whose unproved address another account has proved. */
  addressLost: ({ product }: { readonly product: string }): string =>
    `${product}: someone else confirmed the e-mail address of your account, so it was removed. Your items are safe. Sign in by phone and add another address.`,
};
