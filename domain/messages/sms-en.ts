import type { CodeWords } from './mail-en.ts';

/** Text messages of the account service, in English. */
export const smsEn = {
  /**
   * The last line binds the code to our own site, so that phones fill it in there and nowhere else
   * (https://wicg.github.io/sms-one-time-codes/).
   */
  code: ({ product, code, minutes, host }: CodeWords & { readonly host: string }): string =>
    `${code} is your ${product} code, for ${minutes} minutes. Not you? Leave it unused.\n\n@${host} #${code}`,

  /** The way to a new password, for an account whose e-mail address nobody has proved. */
  recovery: ({ product, link }: { readonly product: string; readonly link: string }): string =>
    `${product}: choose a new password here: ${link} Not you? Do nothing.`,
};
