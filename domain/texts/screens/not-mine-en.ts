/** The page behind "This is not me" in an email to an unproved address, in English. */
export const notMineEn = {
  title: 'Not your account?',
  text: 'Someone created an account with your email address, probably by mistake. We can remove it from that account, and we won’t email you about it again.',
  takeOff: 'Remove my email',
  takingOff: 'Removing...',
  doneTitle: 'We removed your email',
  doneText: 'We won’t write to you about that account again. There’s nothing else to do.',
  deadTitle: 'This link no longer works',
  deadText: 'Your email was already removed, or its owner has confirmed it, or the link has expired.',
  failed: 'Something went wrong on our side. Please try again in a moment.',
  toStart: 'Go to the start page',
} as const;
