import { inLanguage } from '../in-language.ts';
import { accountMailEn } from './account-mail-en.ts';
import { changeNoticeEn, changeNoticeSmsEn } from './change-notice-en.ts';
import { finderMailEn } from './finder-mail-en.ts';
import { mailEn } from './mail-en.ts';
import { messageDigestEn, messageNoticeEn, messageReminderEn, unprovedNoticeEn } from './notice-en.ts';
import { ntfyEn } from './ntfy-en.ts';
import { itemGivenEn, itemOfferEn } from './offer-en.ts';
import { pushEn } from './push-en.ts';
import { finderReportNoticeEn, reportDigestEn, reportNoticeEn } from './report-notice-en.ts';
import { secondContactMailEn } from './second-contact-mail-en.ts';
import { smsEn } from './sms-en.ts';
import { voidCodesEn } from './void-codes-en.ts';

const english = {
  mail: mailEn,
  accountMail: accountMailEn,
  changeNotice: changeNoticeEn,
  changeNoticeSms: changeNoticeSmsEn,
  finderMail: finderMailEn,
  secondContact: secondContactMailEn,
  sms: smsEn,
  push: pushEn,
  ntfy: ntfyEn,
  messageNotice: messageNoticeEn,
  unprovedNotice: unprovedNoticeEn,
  messageDigest: messageDigestEn,
  messageReminder: messageReminderEn,
  itemOffer: itemOfferEn,
  itemGiven: itemGivenEn,
  voidCodes: voidCodesEn,
  reportNotice: reportNoticeEn,
  finderReportNotice: finderReportNoticeEn,
  reportDigest: reportDigestEn,
  /** The link in emails that their reader did not ask for. */
  stopAll: 'Stop all these emails',
};

/** The texts of everything that is sent by email, SMS, or push. Browsers never load them. */
export type LetterTexts = typeof english;

/** The texts of emails, SMS, and pushes in a language. */
export const letterTexts = inLanguage({ en: english });
