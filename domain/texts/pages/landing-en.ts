/** The landing page, in English. */
export const landingEn = {
  pageTitle: (product: string) => `${product} – Never lose your belongings again`,
  metaDescription:
    'Put a QR sticker on what you care about. The person who finds it can reach you in seconds. Your details are never on the sticker or the page.',
  headline: 'Never lose your belongings again',
  lead: 'Put a QR sticker on the things you care about. The person who finds one scans it and reaches you in seconds. No app, no account, and your details stay private.',
  callToAction: (product: string) => `${product} Now`,
  registerItem: 'Register Item',
  logIn: 'Log In',
  /** Its counterpart for a signed-in user. */
  yourItems: 'Your items',
  codeInHand: (code: string) => `Sticker ${code} is ready to use. Register an item with it.`,
  howItWorks: 'How the product works',
  steps: [
    {
      title: 'Tag Your Items',
      text: 'Put a sticker on your keys, bag, or bike, and scan it once to make it yours.',
    },
    {
      title: 'Item Gets Found',
      text: 'Someone finds it and points any phone at the sticker. There’s nothing to install.',
    },
    {
      title: 'Get Connected',
      text: 'They write to you through us, and you arrange the return. They can call or email you only if you allow it.',
    },
  ],
  promises: ['Free for finders', 'No app needed', 'Private by design'],
  picture: {
    description:
      'A QR sticker on a set of keys, and a phone that shows the page a finder sees: “You found Maya’s keys”, with a message to her.',
    foundTitle: 'You found Maya’s keys',
    foundText: 'Thank you! Let her know.',
    finderMessage: 'Found these at the café on the corner. They’re safe behind the counter.',
    sent: 'Anonymous message sent to owner',
  },
  privacyTitle: 'A sticker that says nothing about you',
  privacyText:
    'The code is random. It doesn’t contain your name, phone number, or address. Finders see your first name and only the ways to reach you that you allow.',
  privacyLink: 'What we store, and for how long',
} as const;
