import type { CodeWords } from './mail-en.ts';
import { moreMessages, nameOfOwner, ownerAtStart } from './second-contact-mail-en.ts';

/** Text messages, in English. */
export const smsEn = {
  /**
   * The last line binds the code to our site, so that phones fill it in only there
   * (https://wicg.github.io/sms-one-time-codes/).
   */
  code: ({ product, code, minutes, host }: CodeWords & { readonly host: string }): string =>
    `${code} is your ${product} code. It works for ${minutes} minutes. Don't share it.\n\n@${host} #${code}`,

  /** To the number of an account whose unproved address was proved by another account. */
  addressLost: ({ product }: { readonly product: string }): string =>
    `${product}: Someone else confirmed your account's email, so we removed it from your account. Your items are safe. Sign in by phone and add another email.`,

  /** About messages that stay unseen. It says nothing of the finder, and not which item it is: it is shown on a lock screen. */
  unseenMessage: ({ product, link }: { readonly product: string; readonly link: string }): string =>
    `${product}: Someone wrote about one of your items. Read and reply: ${link}\nYou can turn these texts off in your profile.`,

  /** To a person whom an owner named as a second contact. */
  contactInvitation: ({ product, owner, link }: ContactWords): string =>
    `${product}: ${nameOfOwner(owner) ?? 'Someone'} asks you to be a second contact for lost items. Agree or decline: ${link}`,

  /** To an owner's second contact. The page has the button to leave. */
  contactNotice: ({ product, owner, link }: ContactWords): string =>
    `${product}: ${ownerAtStart(owner)} hasn't seen a finder's message. Read, reply, or leave: ${link}`,

  /** To an owner's second contact, about messages beyond those of the day; the link is to one of them. */
  contactDigest: ({ product, owner, count, link }: ContactWords & { readonly count: number }): string =>
    `${product}: ${ownerAtStart(owner)} hasn't seen ${moreMessages(count)} from finders. Read one, reply, or leave: ${link}`,
};

interface ContactWords {
  readonly product: string;
  /** The owner's first name; null where there is none. */
  readonly owner: string | null;
  readonly link: string;
}
