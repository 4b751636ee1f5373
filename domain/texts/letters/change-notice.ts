import type { AccountChange } from '#domain/account/account-changes.ts';
import type { ChangesWords, OwnerLettersWords } from '#domain/words/compiled/types.ts';
import { deviceInWords } from '../device-in-words.ts';
import type { MailContent } from './compose-mail.ts';

interface ChangeNotice {
  readonly product: string;
  readonly change: AccountChange;
  /** Whom or what it concerns: an address, a number, a host, a device, or a reason; null where nothing is said of it. */
  readonly about: string | null;
  /** A readable time, in UTC. */
  readonly at: string;
  /** Leads to the page that undoes it. */
  readonly notMeUrl: string;
}

/** Says what a change means for its owner; nothing for most. */
function detailOf(
  { change: { details } }: OwnerLettersWords,
  changes: ChangesWords,
  { change, about, product }: Pick<ChangeNotice, 'change' | 'about' | 'product'>,
): string | null {
  switch (change) {
    case 'new_sign_in':
      return about === null ? details.unknownDevice : details.new_sign_in(deviceInWords(about, changes));
    case 'email_removed':
    case 'phone_removed':
      return about === null ? null : details.identifierRemoved(about);
    case 'contact_number_changed':
      return about === null ? details.contact_number_removed : details.contact_number_changed(about);
    case 'item_offered':
      return about === null ? details.item_offeredUnnamed : details.item_offered(about);
    case 'second_contact_invited':
      return about === null ? details.second_contact_invitedUnnamed : details.second_contact_invited(about);
    case 'second_contact_widened':
      return about === null ? details.second_contact_widenedUnnamed : details.second_contact_widened(about);
    case 'second_contact_removed':
      return about === null ? details.second_contact_removedUnnamed : details.second_contact_removed(about);
    case 'notice_address_added':
      return about === null ? null : details.notice_address_added({ product, address: about });
    case 'operator_made_link':
      return about === null ? null : changes.reason(about);
    case 'password_changed':
    case 'email_changed':
    case 'phone_changed':
    case 'item_given':
    case 'item_deleted':
    case 'sticker_detached':
    case 'notices_reduced':
      return details[change];
    default:
      return null;
  }
}

/** The email about a change of the account. Its one link undoes it. */
export function changeNotice(words: OwnerLettersWords, changes: ChangesWords) {
  const { change: notice } = words;
  const named: Partial<Record<AccountChange, (product: string) => string>> = notice.subjects;
  return ({ product, change, about, at, notMeUrl }: ChangeNotice): MailContent => {
    const line = changes.lines[change];
    const detail = detailOf(words, changes, { change, about, product });
    return {
      subject: named[change]?.(product) ?? notice.subject({ product, line }),
      heading: line,
      parts: [
        ...(detail === null ? [] : [{ kind: 'text', text: detail } as const]),
        { kind: 'text', text: notice.time(at) },
        { kind: 'text', text: notice.wasYou },
        { kind: 'aside', text: notice.wasNotYou },
        { kind: 'link', label: notice.notMe, url: notMeUrl },
      ],
    };
  };
}

/** The same by SMS, for an owner without a confirmed email. */
export function changeNoticeSms({ change: { sms } }: OwnerLettersWords, { lines }: ChangesWords) {
  return ({ product, change, notMeUrl }: Omit<ChangeNotice, 'about' | 'at'>): string =>
    sms({ product, line: lines[change], link: notMeUrl });
}
