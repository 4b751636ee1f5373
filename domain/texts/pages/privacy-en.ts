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
  const closedReport = durationEn(CLOSED_REPORT_DAYS * DAY);
  const report = durationEn(REPORT_DAYS * DAY);
  const files =
    facts.keepRemovedHours === 0
      ? 'We erase photo files from the disk soon after.'
      : `We erase photo files from the disk ${durationEn(facts.keepRemovedHours * HOUR)} later, so that a backup in progress stays complete.`;
  return {
    title: 'Privacy',
    lead: `What ${product} stores, who can see it, and for how long. It’s only what we need to get your things back to you.`,
    sections: [
      {
        title: 'If you find something',
        paragraphs: [
          'You don’t need an account, and you don’t have to give your name. An item’s page sets no tracking cookies, loads nothing from other sites, and doesn’t use your location unless you press the button for it.',
          'We store:',
        ],
        points: [
          'Your messages and their times, what you add about where the item is, and when the owner said that they have it back, until the owner deletes the conversation, the item, or the account. If the owner gives the item to someone else, your conversation stays with the owner you wrote to.',
          `An email address, if you leave one to get replies. The owner never sees it, and no page shows it. Until you confirm it, we only ask it to confirm. Our emails say nothing about the owner or the item. With the address, we store whether you’ve looked at the latest reply. We delete it after ${durationEn(FINDER_PROOF_HOURS * HOUR)} if you don’t confirm it, when you remove it, with the conversation, or ${durationEn(FINDER_KEY_DAYS * DAY)} after its last message at the latest.`,
          'A photo, if you add one to a message. We remove the place and time that your camera recorded. The owner sees the photo, and so does a second contact who reads the conversation. We delete it with the message.',
          'A location, if you press “Add my location” and send it. The page shows it to you first. It’s accurate to about a kilometer, unless you choose exact. Your browser rounds it, so we never receive anything more exact.',
          'That someone chose to call, email, or use WhatsApp, and in which hour. We don’t store who.',
          'Your IP address, shortened if it’s IPv6, for up to a day, so that no one can guess codes or flood an owner with messages.',
          'After you write: fingerprints of the keys that your browser and your return code use to open the conversation. No one can work out the keys from them. The owner sees the return code too. Unless you leave an email address, we don’t store whether or when you read a reply.',
          'Which of your messages reached the owner, and which the owner has seen, so that your page can show it.',
          `If you report a page to the people who run this server: your choice and words, the sticker’s code, the account it belongs to, and the time. We don’t store who you are. We delete the report ${closedReport} after they close it, or after ${report} at the latest.`,
          `If an owner reports you to the people who run this server: the owner’s choice and words, the conversation, the sticker’s code, and the time. The report doesn’t say who you are, and it contains your messages only if the owner quotes them. We delete it ${closedReport} after they close it, or after ${report} at the latest.`,
          `If an owner blocks you: that your conversation is blocked. If the owner deletes the conversation, we keep the fingerprints of its keys for ${durationEn(FINDER_KEY_DAYS * DAY)}.`,
        ],
      },
      {
        title: 'If you own something',
        paragraphs: ['Your account holds:'],
        points: [
          'Your full name, email address, and phone number.',
          'Your password, as a hash that we can’t read.',
          'Your items: their types, names, descriptions, notes, and rewards, and the codes on their stickers.',
          'Photos of your items and a picture of you, if you add them. We remove the place and time that your camera recorded. Only you see the picture of you.',
          'The messages about your items, and how often someone opened a way to reach you.',
          'Your sessions: since when you’re signed in, on what device (such as “Firefox on Windows”), and a fingerprint of each sign-in token.',
          `If you turn on notifications on a device: the address and keys of its browser’s push service, and when it last accepted a notification. We delete them when you turn notifications off or sign out there. If we can no longer reach the device, we show you that for ${durationEn(ENDED_PUSH_DAYS * DAY)}.`,
          `If you add a webhook or an ntfy topic: its name, address, and access token, when it last accepted a notification, and what it replied. It learns that someone wrote, and about which item by its code. It gets the item’s name and the message only if you choose that. If we can no longer reach it, we show you that for ${durationEn(ENDED_PUSH_DAYS * DAY)}.`,
          'How we notify you of messages, if you change it: the ways, your quiet hours, and your time zone. For each conversation, when we last sent you a text message or a reminder about it. If you choose text messages to your confirmed number, they don’t say what was found or written.',
          'If you save the labels you print on: the name you give them and their measurements.',
          `If you offer an item to someone: the email address you enter and what became of the offer. We send one email there, with your first name. An offer is open for ${durationEn(OFFER_DAYS * DAY)}, and we delete it ${durationEn(ENDED_OFFER_DAYS * DAY)} after that. A person who has confirmed that address sees the item’s type, name, and photo, and your first name.`,
          `The email addresses or phone numbers of your second contacts, whether they agreed, and for which items. If they don’t respond, we delete the invitation after ${durationEn(CONTACT_INVITATION_DAYS * DAY)}.`,
          `If you report a finder to the people who run this server: your choice and words, the conversation, the sticker’s code, and the time. They see your account with the report, and we don’t tell the finder. We delete the report with your account, ${closedReport} after they close it, or after ${report} at the latest.`,
          'If you turn on two-step verification: the key you share with your authenticator app, encrypted, and your recovery codes, as hashes that we can’t read.',
        ],
      },
      {
        title: 'What a finder sees of you',
        paragraphs: [
          'The item’s type, name, and photo, your first name, your note to finders, the reward you offer, whether the item is lost, and which ways to reach you are open.',
          'When you say that you have the item back, the finder you name reads it. If you don’t name one, everyone who wrote about the item does.',
          'Finders who wrote to you see whether their message reached you, and about when you saw it, to the hour. You can turn the second off on your profile. They never learn how it reached you. If we also told a second contact, the finder reads only that we told another contact.',
          'Your phone number and email address aren’t on the page. If you allow one and a finder chooses it, their phone or mail app opens with your number or address, so that finder sees it. If you don’t want that, allow anonymous messages only: then neither of you sees the other’s contact details.',
        ],
      },
      {
        title: 'If someone named you as a second contact',
        paragraphs: [
          `We use the email address or phone number that they gave us, and your quiet hours, only for this. Until you agree, we send you only the invitation. You can leave at any time with the link in each notice. We delete your details ${durationEn(LEFT_CONTACT_DAYS * DAY)} after you leave, so that you aren’t invited again right away. Your replies belong to the conversation: its owner and the finder read them, marked as from a contact.`,
        ],
      },
      {
        title: 'How long',
        paragraphs: [
          `When you delete a conversation, its messages disappear for you and for the finder. When you delete an item, its messages and contact activity go with it. When you give an item to someone, they get its type, name, description, photo, and stickers. Its messages and contact activity stay with you, and finders can no longer open them. On your profile, you can download everything about your account, and delete it. What you delete disappears from every page at once. ${files}`,
          `The log of security events keeps the account’s random number for ${durationEn(facts.auditLogDays * DAY)}, and nothing that says whose it was. Codes work for ${codeLife}, and we store them only as hashes. We remember the browsers you signed in with for ${durationEn(DEVICE_DAYS * DAY)} after their last use.`,
        ],
      },
      {
        title: 'Who else is involved',
        paragraphs: [
          'The operator of this server has technical access to it. Emails and text messages travel through the providers that the operator chose. Notifications travel through the push service of your browser’s maker, such as Apple, Google, or Mozilla. They’re encrypted for your browser: the push service learns when there is one, but not what it says. We sell nothing, show no ads, and use no analytics by others.',
        ],
      },
      {
        title: 'What your browser keeps',
        paragraphs: ['No tracking. Only what makes the page work:'],
        points: [
          'Your session, in local storage, until you sign out.',
          'A cookie that says “signed in” and nothing else, so that we send the right page.',
          'That someone has signed in with this browser before, but not who, so that we offer to sign in instead of creating an account.',
          `Once you have registered or signed in: a cookie with a random number for this browser, so that no one can lock you out by guessing, and we can tell you about sign-ins on new devices. We store only a fingerprint of it. It stays after you sign out, until ${durationEn(DEVICE_DAYS * DAY)} after your last sign-in.`,
          `While you wait for a code: a cookie that says that this browser asked for it, for ${codeLife}.`,
          `While you sign in with another service: a cookie that ties your return to this browser, for ${durationEn(PROVIDER_VISIT_SECONDS)}.`,
          'Once you have opened a screen for owners: one page to show when there’s no connection. It’s the same for everyone and says nothing about you.',
          `Once you have written to an owner, or opened such a conversation with a return code or a private link: a cookie with its key, for that item’s page and its sticker’s address alone, until ${durationEn(FINDER_KEY_DAYS * DAY)} after that or after your last message, and one with a random number that proves the first is yours.`,
          'A message or reply that isn’t sent yet, until it’s sent or you close the tab.',
          'The code you scanned, a registration that’s waiting for its code, and the page to return to after you sign in, until you close the tab.',
          'A change to your profile that isn’t saved yet, until it is.',
          'The line, logo, and color of your stickers, until you sign out.',
          'That you skipped naming your first item, with the item’s random number.',
          'The paper or labels you last printed stickers on, and how far off your printer is.',
          'That you turned on notifications in this browser, with your account’s random number, or that you don’t want to be asked. The browser itself keeps the address for them. Both go away when you turn them off.',
          'The typeface of these pages, and a note that it’s there.',
        ],
      },
    ],
  };
}
