/** The page behind "This is not me" in an e-mail to an address that nobody has proved. */
export const notMineEn = {
  notMine: {
    title: 'Not your account?',
    text: 'Somebody created an account with your email address, probably by mistake. Press the button and we take your address off it. You will get no more messages about it.',
    takeOff: 'Take My Address Off',
    takingOff: 'Taking it off...',
    doneTitle: 'Your address is off',
    doneText: 'We will not write to you about that account again. There is nothing else to do.',
    deadTitle: 'This link no longer works',
    deadText: 'The address was taken off before, or its owner has confirmed it since, or the link is too old.',
    failed: 'The service could not do it just now. Please try again in a moment.',
    toStart: 'To the start page',
  },
};
