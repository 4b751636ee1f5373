/** Texts about an existing account: its profile, in English. */
export const accountEn = {
  profile: {
    title: 'Your Profile',
    fullName: 'Full name',
    email: 'Email',
    phone: 'Phone number',
    none: 'None',
    verified: 'Confirmed',
    notVerified: 'Not confirmed',
    taggedItems: 'Tagged items',
    edit: 'Edit Profile',
    save: 'Save',
    saving: 'Saving...',
    cancel: 'Cancel',
    emailEditHint: 'We’ll send a link to the new address. It changes when you open the link.',
    pendingEmail: (email: string) =>
      `Open the link we sent to ${email} to start using it. Until then, your current email stays.`,
    unproved: (email: string, left: number) =>
      left === 1
        ? `Confirm your email: open the link we sent to ${email}. Until you do, we’ll email you about only 1 more conversation.`
        : `Confirm your email: open the link we sent to ${email}. Until you do, we’ll email you about only ${left} more conversations.`,
    /** The emails for an unconfirmed address are used up; `missed` is the number of conversations since. */
    unprovedStopped: (email: string, sent: number, missed: number) =>
      missed === 0
        ? `${email} isn’t confirmed, so we stopped emailing you after ${sent} conversations. Open the link in our email to start again.`
        : missed === 1
          ? `${email} isn’t confirmed, so we stopped emailing you after ${sent} conversations. You’ve had 1 more since. Open the link in our email to start again.`
          : `${email} isn’t confirmed, so we stopped emailing you after ${sent} conversations. You’ve had ${missed} more since. Open the link in our email to start again.`,
    noEmail: 'Your account has no email address, so we can’t tell you when a finder writes.',
    addEmail: 'Add your email',
    emailRefused: (email: string) => `Our emails don’t reach ${email}. Its mail server says there’s no such mailbox.`,
    changeEmail: 'Change your email',
    addressLost:
      'Someone else confirmed the email of this account, so we removed it here. Your items and your phone number are safe. Add another email so finders’ messages reach you.',
    onlyAddressLost:
      'Someone else confirmed the email of this account, so we removed it here. Your items are safe. Until you add another email, sign in with the old one and your password.',
    pendingPhone: (phone: string) => `Enter the code we sent to ${phone} to start using it.`,
    enterCode: 'Enter the code',
    sendAgain: 'Send the link again',
    sentAgain: 'The link is on its way',
    sendAgainFailed: 'We couldn’t send the link. Please try again later.',
    updated: 'Profile updated!',
    updatedLocally: 'Profile updated! (Not yet saved to backend)',
    waiting: 'Your changes are kept in this browser. We’ll save them when we can reach the server.',
    keptRefused: 'We couldn’t save the profile changes you made earlier. Please make them again.',
    emailTaken: 'Another account already uses this email.',
    backToDashboard: 'Back to Dashboard',
    signOut: 'Sign Out',
    loggedOut: 'Logged out successfully',
    loadFailed: 'We couldn’t load your profile',
    loadFailedText: 'Nothing is lost. Please try again in a moment.',
    changePhone: 'Change phone number',
    addPhone: 'Add a phone number',
    newPhoneHint: 'We’ll text you a code.',
    newPhoneHintUnverified: 'For finders who call or use WhatsApp, if you allow it.',
    sendCode: 'Send Code',
    codeSentTo: (maskedPhone: string) => `Enter the 6-digit code we sent to ${maskedPhone}.`,
    phoneTaken: 'Another account already uses this phone number.',
    channels: 'How finders can reach you',
    channelsHint: 'Applies to all your items, unless an item has its own setting.',
    seenShown: 'Show finders when you’ve seen their message',
    seenShownHint: 'We show it late and rounded to the hour. When this is off, they see only “Delivered”.',
    channelsSaveFailed: 'We couldn’t save the change. Please try again.',
  },

  sessionEnded: 'You were signed out. Please sign in again.',
};
