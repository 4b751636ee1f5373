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
  codeInHand: (code: string) => `The sticker ${code} is still free. Register an item with it.`,
  howItWorks: 'How the product works',
  steps: [
    {
      title: 'Tag Your Items',
      text: 'Stick a code on your keys, your bag or your bike, and scan it once to make it yours.',
    },
    {
      title: 'Item Gets Found',
      text: 'Someone finds it and points any phone at the sticker. There’s nothing to install.',
    },
    {
      title: 'Get Connected',
      text: 'They write to you through us, and you arrange the return. Calls and email only if you allow them.',
    },
  ],
  promises: ['Free for finders', 'No app needed', 'Private by design'],
  picture: {
    description:
      'A QR sticker on a set of keys, and a phone that shows the page a finder sees: “You found Maya’s keys”, with a message to her.',
    foundTitle: 'You found Maya’s keys',
    foundText: 'Thank you! Let her know.',
    finderMessage: 'Found these at the café on the corner. They are safe behind the counter.',
    sent: 'Anonymous message sent to owner',
  },
  privacyTitle: 'A sticker that says nothing about you',
  privacyText:
    'The code is a random number. It holds no name, no phone number and no address. A finder sees your first name and the ways to reach you that you allow, and every one of them goes through us first.',
  privacyLink: 'What we store, and for how long',
} as const;
