/** The texts of the pages on which a finder leaves an email address and proves it, in English. */
export const finderEmailEn = {
  title: 'Get an email when there’s a reply',
  pageTitle: (product: string) => `Replies by email – ${product}`,
  promise: (owner: string) =>
    `${owner} never sees your address. We use it only for replies, and delete it with the conversation.`,
  label: 'Your email',
  send: 'Email me',
  invalid: 'Enter a complete email address.',
  denied: 'We can’t send email to this address. Use another one.',
  checkTitle: 'Check your email',
  checkText: (hours: number) =>
    `Open the link in our email to confirm that the address is yours. It works for ${hours} hours. Until you confirm, we won’t email you anything else.`,
  nothingCame:
    'Nothing came? Check your spam folder, or enter the address again. We send only a few of these emails to an address.',
  activeTitle: 'We’ll email you when there’s a reply',
  activeText: 'We’ll send one email, then wait until you’ve opened the conversation.',
  remove: 'Remove my email',
  removedTitle: 'We removed your email',
  removedText: 'You won’t get any more emails about this conversation.',
  back: 'Back to the conversation',

  /** The pages that links in emails lead to. */
  confirmTitle: 'Do you want an email when there’s a reply?',
  confirmText: 'Only confirm if you found something and wrote to its owner. Our emails let you open that conversation.',
  confirm: 'Yes, email me',
  stopTitle: 'No more emails about this?',
  stopText: 'We’ll delete your address. The conversation stays.',
  stopAllTitle: 'Stop all emails that others cause?',
  stopAllText:
    'We won’t email you about offers, invitations, or messages to accounts that aren’t confirmed as yours. Codes that you ask for still arrive.',
  stopAll: 'Stop these emails',
  allStoppedTitle: 'We stopped these emails',
  allStoppedText: 'Codes that you ask for still arrive.',
  deadTitle: 'This link no longer works',
  deadText: 'It has expired, or the address was removed. You can leave your email again on the sticker’s page.',
};
