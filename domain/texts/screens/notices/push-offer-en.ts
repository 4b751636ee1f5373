/** Offers notifications on an item's page, in English. */
export const pushOfferEn = {
  text: 'Get a notification on this device as soon as someone writes.',
  turnOn: 'Turn on',
  later: 'Not now',
  turnedOn: 'Notifications are on',
  failed: 'We couldn’t turn on notifications. See why in your profile.',
};
