import type { Prose } from './prose.ts';

export function faqEn(product: string): Prose {
  return {
    title: 'Questions and answers',
    lead: `The short version of how ${product} works.`,
    sections: [
      {
        title: 'I found something with a sticker. What now?',
        paragraphs: [
          'Point the camera of any phone at the code and open the link. You see what you found and how to reach the owner. There is nothing to install and nothing to sign up for.',
        ],
      },
      {
        title: 'Does the owner learn who I am?',
        paragraphs: [
          'Not through an anonymous message. If you call, e-mail or write on WhatsApp, the owner sees the number or address that you use, as always with those.',
        ],
      },
      {
        title: 'What is on the sticker?',
        paragraphs: [
          'A random number inside a link. No name, no phone number, no address. Without this service it says nothing.',
        ],
      },
      {
        title: 'How do I tag an item?',
        paragraphs: [
          'Scan a new sticker and create an account. The item is yours as soon as you have entered the 6-digit code that we send. Later stickers take one scan and a tap. You can also tag without a sticker: you then get a link of your own.',
        ],
      },
      {
        title: 'How do I hear that something was found?',
        paragraphs: [
          'A message appears on your dashboard at once while it is open, and is sent to you by e-mail. Follow the link in our first e-mail: to an address that nobody has confirmed we send no more than three notices. You answer on the page of the item.',
        ],
      },
      {
        title: 'How does a finder read the answer?',
        paragraphs: [
          'On the page where they wrote: by itself while it is open, and later when they open it again, or scan the sticker, in the same browser. Nobody else can.',
        ],
      },
      {
        title: 'The verification code does not arrive.',
        paragraphs: [
          'Codes are valid for 10 minutes and a new one replaces the one before. Wait a minute, then ask for another. Where this server has no text messages, the code comes by e-mail: look among unwanted mail too.',
        ],
      },
      {
        title: 'Somebody else’s account has my sticker.',
        paragraphs: [
          'A code belongs to the first account that claims it and cannot be taken over. Use another sticker, or ask the owner to delete the item: that frees the code.',
        ],
      },
    ],
  };
}
