import type { VisitorWords, Words } from '#domain/words/compiled/types.ts';
import { wordsOf } from '#domain/words/loaded-words.ts';
import { accountMail } from './account-mail.ts';
import { changeNotice, changeNoticeSms } from './change-notice.ts';
import { codeMail } from './code-mail.ts';
import { contactSms } from './contact-sms.ts';
import { itemGiven } from './item-given.ts';
import { itemOffer } from './item-offer.ts';
import { messageNotices } from './message-notice.ts';
import { ownerSms } from './owner-sms.ts';
import { ntfy, push } from './push.ts';
import { secondContactMail } from './second-contact-mail.ts';
import { voidCodes } from './void-codes.ts';

function lettersOf({ letters, ownerLetters, changes, taps }: Words, tag: string) {
  return {
    mail: codeMail(ownerLetters, changes),
    accountMail: accountMail(ownerLetters),
    changeNotice: changeNotice(ownerLetters, changes),
    changeNoticeSms: changeNoticeSms(ownerLetters, changes),
    sms: ownerSms(ownerLetters),
    push: push(ownerLetters, changes),
    ntfy: ntfy(ownerLetters),
    ...messageNotices(ownerLetters, taps),
    itemGiven: itemGiven(ownerLetters),
    voidCodes: voidCodes(ownerLetters, tag),
    /** The link in emails that their reader did not ask for. */
    stopAll: letters.stopAll,
  };
}

/** The texts of everything that is sent to owners by email, SMS, or push. Browsers never load them. */
export type LetterTexts = ReturnType<typeof lettersOf>;

/** Returns the texts of emails, SMS, and pushes in a language of owners' screens that is loaded. */
export function letterTexts({ tag }: { readonly tag: string }): LetterTexts {
  return lettersOf(wordsOf(tag), tag);
}

/** Returns the texts of emails and SMS to second contacts, and to whom an item is offered. */
export function visitorLetterTexts({ letters, shared }: Pick<VisitorWords, 'letters' | 'shared'>) {
  return { secondContact: secondContactMail(letters, shared), sms: contactSms(letters), itemOffer: itemOffer(letters) };
}

export type VisitorLetterTexts = ReturnType<typeof visitorLetterTexts>;
