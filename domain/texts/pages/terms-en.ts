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
          'Contact the owner about the item and nothing else. Where the law asks you to hand a find to an authority, the law comes before these terms. Meet in a public place, and never pay or take money in advance.',
        ],
      },
      {
        title: 'What is not allowed',
        paragraphs: [
          'Harassing anyone, sending advertising, guessing codes, pretending to be someone else, or overloading the service. Accounts that do so can be closed.',
        ],
      },
      {
        title: 'Costs and liability',
        paragraphs: [
          'Finding is free. The software is open source under the MIT license and comes without warranty. The operator of this server is responsible for how it is run, within the limits of the law that applies there.',
        ],
      },
      {
        title: 'Leaving',
        paragraphs: [
          'You can stop at any time. When your account is deleted, your items, their messages and your details go with it, and the codes on your stickers are free again.',
        ],
      },
    ],
  };
}
