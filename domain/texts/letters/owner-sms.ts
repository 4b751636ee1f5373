import type { OwnerLettersWords } from '#domain/words/compiled/types.ts';
import type { CodeWords } from './code-mail.ts';

/** Text messages to owners. */
export function ownerSms({ sms }: OwnerLettersWords) {
  return {
    /**
     * The last line binds the code to our site, so that phones fill it in only there
     * (https://wicg.github.io/sms-one-time-codes/).
     */
    code: ({ product, code, minutes, host }: CodeWords & { readonly host: string }): string =>
      `${sms.code({ code, product, minutes })}\n\n@${host} #${code}`,

    /** To the number of an account whose unproved address was proved by another account. */
    addressLost: ({ product }: { readonly product: string }): string => sms.addressLost(product),

    /** About messages that stay unseen. It says nothing of the finder, and not which item it is: it is shown on a lock screen. */
    unseenMessage: (words: { readonly product: string; readonly link: string }): string => sms.unseenMessage(words),
  };
}
