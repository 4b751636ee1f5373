import {
  CLOSED_REPORT_DAYS,
  CONTACT_INVITATION_DAYS,
  DEVICE_DAYS,
  ENDED_OFFER_DAYS,
  ENDED_PUSH_DAYS,
  FINDER_KEY_DAYS,
  FINDER_PROOF_HOURS,
  LEFT_CONTACT_DAYS,
  OFFER_DAYS,
  PROVIDER_VISIT_SECONDS,
  REPORT_DAYS,
  SMS_RANGE_DAYS,
} from '../../retention.ts';
import { durationEn } from '../duration-en.ts';
import type { Prose } from './prose.ts';
import type { ServiceFacts } from './service-facts.ts';

const DAY = 86_400;
const HOUR = 3_600;

/** What this service stores, for how long, and who sees it. Must be kept consistent with database/migrations. */
export function privacyEn(facts: ServiceFacts): Prose {
  const { productName: product } = facts;
  const codeLife = durationEn(facts.codeLifeSeconds);
  const files =
    facts.keepRemovedHours === 0
      ? 'Photo files are erased from the disk soon after.'
      : `Photo files are erased from the disk ${durationEn(facts.keepRemovedHours * HOUR)} later, so that a backup in progress stays complete.`;
  return {
    title: 'Privacy',
    lead: `What ${product} stores, who can see it, and for how long. Nothing more than it needs to bring your things back to you.`,
    sections: [
      {
        title: 'If you find something',
        paragraphs: [
          'You need no account and give no name. The page of an item sets no tracking cookie, loads nothing from other sites, and takes no location unless you press the button for it.',
          'We store:',
        ],
        points: [
          `If you report a page to the people who run this server: your choice, your words, the code of the sticker, the account that it belongs to, and the time. Not who you are. It’s deleted ${durationEn(CLOSED_REPORT_DAYS * DAY)} after they closed it, and after ${durationEn(REPORT_DAYS * DAY)} at the latest.`,
          `If an owner reports you to the people who run this server: the owner’s choice and words, which conversation it is, the code of the sticker, and the time. Not your messages, unless the owner quotes them, and not who you are. It’s deleted ${durationEn(CLOSED_REPORT_DAYS * DAY)} after they closed it, and after ${durationEn(REPORT_DAYS * DAY)} at the latest.`,
          `If an owner blocks you: that your conversation is blocked. When they delete it, the fingerprints of its keys stay for ${durationEn(FINDER_KEY_DAYS * DAY)}.`,
          'Your message and its time, what you add about where the item is, and when the owner said that they have the item back, until the owner deletes the item or the account. If the owner gives the item to someone else, your conversation stays with the owner that you wrote to.',
          `An email address, if you leave one to hear of replies. The owner never sees it, and no page shows it. We write nothing else to it before you confirm it, and our emails say nothing about the owner or the item. With it we store that you haven’t looked at a reply yet. It’s deleted after ${durationEn(FINDER_PROOF_HOURS * HOUR)} if you don’t confirm it, when you remove it on the page or from an email, with the conversation, and ${durationEn(FINDER_KEY_DAYS * DAY)} after its last message at the latest.`,
          'A photo, if you add one to a message. We remove what your camera noted about place and time. The owner sees it, and a second contact who reads the conversation. It is deleted with the message.',
          'A location, if you press “Add my location” and send it. The page shows it first: to about a kilometer, unless you choose exact. Your browser rounds it, so nothing more exact reaches us.',
          'That someone chose to call, email or write on WhatsApp, to the hour. Not who.',
          'Your IP address, shortened if it is IPv6, for up to a day, so that no one can guess codes or flood an owner.',
          'Once you have written: fingerprints of the keys by which your browser, and your return code, open the conversation. The keys can’t be worked out from them. The owner sees the return code too. Unless you leave an email address, we don’t store whether or when you read a reply.',
          'Up to which of your messages a notice or the owner’s screen has brought them to the owner, so that you can read it.',
        ],
      },
      {
        title: 'If you own something',
        paragraphs: ['Your account holds:'],
        points: [
          'Your full name, your email address and your phone number.',
          'Your password, as an Argon2id hash: we can’t read it.',
          'Your items: what they are, their names, descriptions, notes and rewards, and the codes on their stickers.',
          'Photos of your items and a picture of you, if you add them. We remove what your camera noted about place and time. Only you see the picture of you.',
          'The messages about your items, and how often a way to reach you was opened.',
          'Your sessions, so that you can be signed in: since when, and in short what device it is, such as “Firefox on Windows”; of each sign-in token only a fingerprint.',
          `If you turn on notifications on a device: the address at which its browser’s push service takes them, its keys, and when the last one was taken. They go when you turn notifications off or sign out there. If the device can’t be reached any more, we show you that for ${durationEn(ENDED_PUSH_DAYS * DAY)}.`,
          `If you add a webhook or an ntfy topic: its name and address, its access token, and when it last accepted something and what it replied. It learns that someone wrote, and about which of your items by its code; the item’s name and what was written only if you choose that. If it can’t be reached any more, we show you that for ${durationEn(ENDED_PUSH_DAYS * DAY)}.`,
          'How we tell you about messages, if you change it: by which way, your quiet hours, and your time zone. Of each conversation, when we last sent you a text message or a reminder about it. A text message to your confirmed number, if you choose it, says neither what was found nor what was written.',
          'If you save the labels that you print on: the name that you give them, and their measures.',
          `If you offer an item to someone: the email address that you enter, and what became of the offer. We send one email there, with your first name. An offer is open for ${durationEn(OFFER_DAYS * DAY)} and is deleted ${durationEn(ENDED_OFFER_DAYS * DAY)} after that. Who has confirmed that address sees the item’s type, name and photo, and your first name.`,
          `The email addresses or phone numbers of your second contacts, whether they agreed, and for which items. An invitation without a response is deleted after ${durationEn(CONTACT_INVITATION_DAYS * DAY)}.`,
          `If you report a finder to the people who run this server: your choice, your words, which conversation it is, the code of the sticker, and the time. They see your account with it, and the finder isn’t told. It’s deleted with your account, ${durationEn(CLOSED_REPORT_DAYS * DAY)} after they closed it, and after ${durationEn(REPORT_DAYS * DAY)} at the latest.`,
          'If you turn on two-step verification: the key that you share with your authenticator app, encrypted, and your recovery codes as hashes, from which they cannot be read.',
        ],
      },
      {
        title: 'What a finder sees of you',
        paragraphs: [
          'The type, name and photo of the item, your first name, your note to finders, the reward that you name, whether the item is lost, and which ways to reach you are open.',
          'When you say that you have the item back, the finder in that conversation reads it. Without naming a finder, all who wrote about the item do.',
          'Someone who has written to you reads whether the message reached you, and about when you saw it, to the hour. You can turn the second off on your profile. How it reached you is never said. If we told a second contact of yours, the finder reads only that we told another contact.',
          'Your phone number and your email address are not in the page. If you allow one of these and a finder chooses it, their phone or mail app opens with your number or address, so that finder sees it. If you don’t want that, allow anonymous messages only: then neither of you sees the other’s contact details.',
        ],
      },
      {
        title: 'If someone named you as a second contact',
        paragraphs: [
          `We keep the email address or phone number that they gave us, and your quiet hours, for this alone. Until you agree, we send you nothing but the invitation. You can leave at any time with the link in each notice. We delete what we kept ${durationEn(LEFT_CONTACT_DAYS * DAY)} after you left, so that you aren’t invited again at once. What you reply belongs to the conversation: its owner and the finder read it, marked as from a contact.`,
        ],
      },
      {
        title: 'How long',
        paragraphs: [
          `When you delete a conversation, its messages are gone for you and for the finder. When you delete an item, its messages and its contact activity go with it. When you give an item to someone, they get its type, name, description, photo and stickers; its messages and contact activity stay with you, and finders can’t open them any more. On your profile you can download everything about your account, and delete it. What you delete is gone from every page at once. ${files}`,
          `The log of security events keeps the account’s random number for ${durationEn(facts.auditLogDays * DAY)}, and nothing that says whose it was. Codes work for ${codeLife} and are stored only as a hash. We remember the browsers that you signed in with for ${durationEn(DEVICE_DAYS * DAY)} after their last use. Of text messages with codes we count, for ${durationEn(SMS_RANGE_DAYS * DAY)}, how many went to a range of numbers, not to which number.`,
        ],
      },
      {
        title: 'Who else takes part',
        paragraphs: [
          'The operator of this server has technical access to it. Emails and text messages travel through the providers the operator chose. Notifications travel through the push service of your browser’s maker, such as Apple, Google, or Mozilla. They are encrypted for your browser: the push service learns when there is one, and not what it says. Nothing is sold, and there is no advertising and no analytics by others.',
        ],
      },
      {
        title: 'What your browser keeps',
        paragraphs: ['No tracking. Only what makes the page work:'],
        points: [
          'Your session, in local storage, until you sign out.',
          'A cookie that says “signed in”, and nothing else, so that the right page is sent.',
          `Once you have registered or signed in: a cookie with a random number for this browser, so that nobody can lock you out by guessing, and you are told of sign-ins on new devices. We store only a fingerprint of it. It stays after you sign out, until ${durationEn(DEVICE_DAYS * DAY)} after your last sign-in.`,
          `While you wait for a code: a cookie that says that it was this browser that asked, for ${codeLife}.`,
          `While you sign in with another service: a cookie that ties your return to this browser, for ${durationEn(PROVIDER_VISIT_SECONDS)}.`,
          'Once you have opened a screen for owners: one page that is shown where there is no connection. It is the same for everyone and says nothing about you.',
          `Once you have written to an owner, or opened such a conversation with a return code or a private link: a cookie with its key, for that item’s page and its sticker’s address alone, until ${durationEn(FINDER_KEY_DAYS * DAY)} after that or after your last message, and one with a random number that proves the first is yours.`,
          'A message or reply that isn’t sent yet, until it is or you close the tab.',
          'The code that you scanned, a registration that waits for its code, and the page to return to after signing in, until you close the tab.',
          'A change of your profile that could not be sent, until it is.',
          'The line, the logo, and the color of your stickers, until you sign out.',
          'That you skipped naming your first item, with the item’s random number.',
          'The paper or labels that you printed stickers on last, and how far your printer is off.',
          'That you turned on notifications in this browser, with your account’s random number, or that you don’t want to be asked. The browser itself keeps the address for them. Both go when you turn them off.',
          'The typeface of these pages, and a note that it is there.',
        ],
      },
    ],
  };
}
