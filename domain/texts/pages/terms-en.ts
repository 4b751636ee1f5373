import type { Prose } from './prose.ts';

export function termsEn(product: string): Prose {
  return {
    title: 'Terms',
    lead: `${product} connects a person who found something with the person it belongs to. These are the rules for both, in plain words.`,
    sections: [
      {
        title: 'What the service does',
        paragraphs: [
          'It shows a finder how to reach the owner of a tagged item and passes messages on. It doesn’t search for things or transport them, and it can’t promise that something lost comes back.',
        ],
      },
      {
        title: 'If you tag items',
        paragraphs: [
          'Tag only what is yours or what you look after. Use your own email and phone number. Don’t use a tag to follow a person.',
        ],
      },
      {
        title: 'If you find an item',
        paragraphs: [
          'Contact the owner about the item and nothing else. If the law requires you to hand in what you found, the law comes before these terms. Meet in a public place, and never pay or take money in advance.',
        ],
      },
      {
        title: 'What isn’t allowed',
        paragraphs: [
          'Harassing anyone, sending advertising, guessing codes, pretending to be someone else, or overloading the service. The operator can close accounts that do this.',
        ],
      },
      {
        title: 'Costs and liability',
        paragraphs: [
          'Finding is free. The software is open source under the MIT license and comes without warranty. The operator of this server is responsible for how it runs, within the limits of applicable law.',
        ],
      },
      {
        title: 'Leaving',
        paragraphs: [
          'You can leave at any time. When you delete your account, we delete your items, their messages, and your details, and your stickers can be used again.',
        ],
      },
    ],
  };
}
