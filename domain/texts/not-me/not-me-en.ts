/** The texts of the page that undoes changes of an account, in English. */
export const notMeEn = {
  pageTitle: (product: string) => `Secure your account – ${product}`,
  askTitle: 'This wasn’t you?',
  askText:
    'We’ll sign out every device, stop your password from working, and remove what was added since: offers, second contacts, notification addresses, and ways to sign in. Then you choose a new password.',
  confirm: 'This wasn’t me',
  doneTitle: 'Every device is signed out',
  doneText:
    'We removed what was added since. Now choose a new password. If you have no confirmed email, sign in with a code by phone. Then look at the recent changes in your profile.',
  newPassword: 'Choose a new password',
  deadTitle: 'This link no longer works',
  deadText: 'It works for 30 days. You can still choose a new password, which signs out every other device.',
};
