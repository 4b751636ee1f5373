import { inLanguage } from '../in-language.ts';
import { accountMailEn } from './account-mail-en.ts';
import { mailEn } from './mail-en.ts';
import { messageDigestEn, messageNoticeEn, unprovedNoticeEn } from './notice-en.ts';
import { smsEn } from './sms-en.ts';

const english = {
  mail: mailEn,
  accountMail: accountMailEn,
  sms: smsEn,
  messageNotice: messageNoticeEn,
  unprovedNotice: unprovedNoticeEn,
  messageDigest: messageDigestEn,
};

/** The texts of everything that is sent by email or SMS. Browsers never load them. */
export type LetterTexts = typeof english;

/** The texts of emails and SMS in a language. */
export const letterTexts = inLanguage({ en: english });
