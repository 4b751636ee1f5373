import type { AccountChange } from '#domain/account/account-changes.ts';
import { accountChangesEn } from '../account-changes-en.ts';
import type { MailContent } from './compose-mail.ts';

interface ChangeNotice {
  readonly product: string;
  readonly change: AccountChange;
  /** Whom or what it concerns: an address, a number, a host, or a device; null where nothing is said of it. */
  readonly about: string | null;
  /** A readable time, in UTC. */
  readonly at: string;
  /** Leads to the page that undoes it. */
  readonly notMeUrl: string;
}

/** Subjects that name the product inside. */
const SUBJECTS: Partial<Record<AccountChange, (product: string) => string>> = {
  password_changed: (product) => `Your ${product} password was changed`,
  email_changed: (product) => `Your ${product} email was changed`,
  phone_changed: (product) => `Your ${product} phone number was changed`,
  new_sign_in: (product) => `New sign-in to your ${product} account`,
  notice_address_added: (product) => `Your ${product} account has a new notification address`,
};

const DETAILS: Partial<Record<AccountChange, (about: string | null, product: string) => string>> = {
  password_changed: () => 'Use your new password from now on. We signed you out on every other device.',
  email_changed: () => 'From now on, we’ll email your new address instead of this one.',
  phone_changed: () => 'From now on, we’ll text codes to your new number.',
  new_sign_in: (about) => `Device: ${about ?? 'unknown'}`,
  contact_number_changed: (about) => (about === null ? '' : `The new number is ${about}. Nobody has confirmed it.`),
  item_offered: (about) => `If ${about ?? 'they'} accept, finders reach them instead of you.`,
  item_given: () => 'Finders who scan its stickers no longer reach you.',
  item_deleted: () => 'Its stickers are free, so anyone who has one can claim it.',
  sticker_detached: () => 'It’s free now, so anyone who has it can claim it.',
  second_contact_invited: (about) =>
    `If ${about ?? 'they'} agree, they can read and answer finders’ messages that you don’t see.`,
  second_contact_widened: (about) => `${about ?? 'They'} can read and answer messages about every item of yours.`,
  second_contact_removed: (about) => `${about ?? 'They'} won’t hear about your items anymore.`,
  notice_address_added: (about, product) =>
    about === null ? '' : `From now on, ${product} notifies ${about} when a finder writes.`,
  notices_reduced: () => 'Something was turned off, or quiet hours were changed.',
};

/** The email about a change of the account. Its one link undoes it. */
export function changeNoticeEn({ product, change, about, at, notMeUrl }: ChangeNotice): MailContent {
  const line = accountChangesEn[change];
  const detail = DETAILS[change]?.(about, product) ?? '';
  return {
    subject: SUBJECTS[change]?.(product) ?? `${product}: ${line}`,
    heading: line,
    parts: [
      ...(detail === '' ? [] : [{ kind: 'text', text: detail } as const]),
      { kind: 'text', text: `Time: ${at}` },
      { kind: 'text', text: 'If that was you, you don’t need to do anything.' },
      {
        kind: 'aside',
        text: 'Wasn’t you? Someone else may be in your account. We’ll sign them out, undo what they added, and help you choose a new password:',
      },
      { kind: 'link', label: 'This wasn’t me', url: notMeUrl },
    ],
  };
}

/** The same by SMS, for an owner without a confirmed email. */
export function changeNoticeSmsEn({ product, change, notMeUrl }: Omit<ChangeNotice, 'about' | 'at'>): string {
  return `${product}: ${accountChangesEn[change]}. Wasn't you? ${notMeUrl}`;
}
