/** The page that an emailed offer leads to, in English. */
export const offerEn = {
  title: 'An item for you',
  /** For one without a name, of a giver without one. */
  anItem: 'An item',
  from: (giver: string) => `${giver} wants to give you this item.`,
  fromUnnamed: 'Someone wants to give you this item.',
  gain: 'If you accept, it’s yours with all of its stickers. Whoever finds it reaches you.',
  until: (day: string) => `You can accept until ${day}.`,
  accept: 'Accept',
  accepting: 'Accepting …',
  accepted: (item: string) => `${item} is yours now`,
  decline: 'Decline',
  declining: 'Declining …',
  declinedTitle: 'You declined',
  declinedText: 'The item stays with its owner. They can see that you declined.',
  refusals: {
    noRoom: 'Your account has no room left for another item or its stickers. Delete one first.',
    void: 'The item’s sticker was stopped, so it can’t be passed on right now. Its owner has to replace it first.',
    failed: 'That didn’t work. Please check your connection and try again.',
  },
  closedTitle: 'This offer isn’t open to you',
  closedText:
    'It may have been accepted, canceled, or made to another address, or its time may be over. If you accepted it, the item is on your dashboard.',
  goneText: 'It was canceled, or its time is over. The item stays with its owner.',
  signedInAs: (email: string) => `You’re signed in with ${email}.`,
  otherAddress: 'Did the email come to another address? Sign out, and sign in with that one.',
  addressTitle: 'Confirm your email first',
  unproved: (email: string) =>
    `Before you can accept, confirm that ${email} is yours. Open the link that we emailed you, or get another one on your profile.`,
  withoutAddress: 'Your account has no email address. Add the one that the email came to on your profile.',
  toProfile: 'Your Profile',
  toDashboard: 'Your items',
  visitorTitle: 'Someone wants to give you an item',
  visitorText:
    'Sign in with the email address that got our email, or create an account with it. The offer waits for you here.',
  signIn: 'Sign In',
  register: 'Create Account',
  loadFailed: 'Couldn’t load the offer',
  loadFailedText: 'It waits for you. Please check your connection.',
} as const;
