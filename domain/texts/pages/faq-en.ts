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
          'Point any phone’s camera at the code and open the link. You’ll see what you found and how to reach the owner. One tap is enough: “I have it”, “I left it at …” or “I saw it here”. There’s nothing to install and no account to create.',
        ],
      },
      {
        title: 'The code can’t be scanned. What now?',
        paragraphs: [
          'Every sticker also has 16 letters and numbers in four groups. Choose “Can’t scan it? Enter the code” on the start page and type them. If you get a character wrong, we say so.',
        ],
      },
      {
        title: 'Does the owner learn who I am?',
        paragraphs: [
          'Not through an anonymous message. If you call, email or write on WhatsApp, the owner sees the number or address you use, as usual.',
        ],
      },
      {
        title: 'What is on the sticker?',
        paragraphs: [
          'A random number inside a link. No name, no phone number, no address. Without this service it means nothing.',
        ],
      },
      {
        title: 'How do I tag an item?',
        paragraphs: [
          'Scan a new sticker and create an account. The item is yours as soon as you enter the 6-digit code we send you. After that, each sticker takes one scan and a tap. You can also tag without a sticker: you get a link of your own.',
        ],
      },
      {
        title: 'How do I find out that something was found?',
        paragraphs: [
          'We email you, and the message appears on your dashboard right away. Open the link in our first email to confirm your address: until then, we email you about three messages only. You reply on the item’s page.',
        ],
      },
      {
        title: 'How does a finder read my reply?',
        paragraphs: [
          'On the page where they wrote to you. It appears there by itself, or when they open the page or scan the sticker again in the same browser. No one else can see it.',
        ],
      },
      {
        title: 'Did the owner get my message?',
        paragraphs: [
          'Your page says so below it: sent; delivered, once a notice has left or, at a later full hour, the owner’s screen had it; or seen, which also appears at a full hour, an hour or two later. An owner can turn “seen” off on the profile page.',
        ],
      },
      {
        title: 'I’m giving an item away. What about its sticker?',
        paragraphs: [
          'Open the item’s page, choose “Give to someone” and enter their email address. Once they accept, the item and all of its stickers are theirs. What finders wrote to you stays with you.',
        ],
      },
      {
        title: 'My verification code doesn’t arrive.',
        paragraphs: [
          `Codes work for ${durationEn(codeLifeSeconds)}, and a new one replaces the one before. Wait ${durationEn(codeGapSeconds)}, then ask for another. Where this server has no text messages, the code comes by email: check your spam folder too.`,
        ],
      },
      {
        title: 'Another account has my sticker.',
        paragraphs: [
          'A code belongs to the first account that claims it, and no one can take it over. Use another sticker, or ask the owner to delete the item. That frees the code.',
        ],
      },
    ],
  };
}
