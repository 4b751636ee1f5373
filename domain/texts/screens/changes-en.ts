/** The recent changes of an account, on the profile and the dashboard, in English. */
export const changesEn = {
  title: 'Recent changes',
  lead: 'What happened to your account in the last 30 days. Don’t recognize something? Choose a new password: it signs you out everywhere else, and ends open offers and invitations. Then remove what isn’t yours.',
  none: 'Nothing changed in the last 30 days.',
  loadFailed: 'We couldn’t load your recent changes.',
  changes: 'What happened',
  here: 'on this device',
  additions: 'Added in the last 30 days',
  kinds: {
    second_contact: 'Second contact',
    notice_address: 'Notification address',
    device: 'Device with notifications',
    offer: 'Open offer of an item',
    sticker: 'Sticker',
    factor: 'Second step of signing in',
    identity: 'Way to sign in',
  },
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removed: 'Removed',
  removeFailed: 'We couldn’t remove it. Please try again.',
  /** On the dashboard. */
  wasYou: (line: string) => `${line}. Was that you?`,
  see: 'See recent changes',
};
