import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import { durationEn } from '../duration-en.ts';
import type { Prose } from './prose.ts';
import type { ServiceFacts } from './service-facts.ts';

export function faqEn({ productName: product, codeLifeSeconds, codeGapSeconds }: ServiceFacts): Prose {
  return {
    title: 'Questions and answers',
    lead: `How ${product} works, in short.`,
    sections: [
      {
        title: 'I found something with a sticker. What now?',
        paragraphs: [
          'Point any phone’s camera at the code and open the link. You’ll see what you found and how to reach the owner. Tap “I have it” or “I saw it here” to let the owner know right away. There’s nothing to install and no account to create.',
        ],
      },
      {
        title: 'The code can’t be scanned. What now?',
        paragraphs: [
          'Most stickers also show 16 letters and numbers in four groups. Choose “Can’t scan it? Enter the code” on the start page and type them. If you get a character wrong, we’ll tell you.',
        ],
      },
      {
        title: 'Does the owner learn who I am?',
        paragraphs: [
          'Not through an anonymous message. If you call, email, or use WhatsApp, the owner sees your number or email address.',
        ],
      },
      {
        title: 'What’s on the sticker?',
        paragraphs: ['A link with a random code, and nothing about you. You can add a line of your own or a logo.'],
      },
      {
        title: 'How do I tag an item?',
        paragraphs: [
          'Scan a new sticker and create an account. The item is yours as soon as you enter the 6-digit code we send you. After that, each new sticker takes one scan and one tap. No sticker? Tag your item without one, and print a sticker later.',
        ],
      },
      {
        title: 'How will I know that someone found my item?',
        paragraphs: [
          `We email you, and the message appears on your dashboard right away. Confirm your email first: until you do, we’ll email you about only ${UNPROVED_NOTICES} conversations. You can reply on the item’s page.`,
        ],
      },
      {
        title: 'How does a finder read my reply?',
        paragraphs: [
          'On the page where they wrote to you. It appears there on its own. They can also come back later: in the same browser, or in any other with their return code. No other finder can see it.',
        ],
      },
      {
        title: 'Did the owner get my message?',
        paragraphs: [
          'Look below your latest message. “Sent” means we have it. “Delivered” means we notified the owner, or it appeared on their screen. “Seen” means the owner has seen it. To protect the owner’s privacy, “Seen” shows up an hour or two later, and owners can turn it off.',
        ],
      },
      {
        title: 'I’m giving an item away. What about its sticker?',
        paragraphs: [
          'On the item’s page, choose “Give to someone” and enter their email. Once they accept, the item and all of its stickers are theirs. Messages from finders stay with you.',
        ],
      },
      {
        title: 'My verification code hasn’t arrived.',
        paragraphs: [
          `Codes work for ${durationEn(codeLifeSeconds)}, and a new code replaces the last one. Wait ${durationEn(codeGapSeconds)}, then ask for another. If we sent the code by email, check your spam folder too.`,
        ],
      },
      {
        title: 'Another account has my sticker.',
        paragraphs: [
          'A sticker belongs to the first account that registers it, and no one can take it over. Use another sticker, or ask its owner to delete the item so that you can use it.',
        ],
      },
    ],
  };
}
