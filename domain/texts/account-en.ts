import { durationEn } from './duration-en.ts';

/** Texts about an existing account: second factor, links from mails, profile, security and data. */
export const accountEn = {
  secondFactor: {
    title: 'One more step',
    text: 'Enter the 6-digit code from your authenticator app.',
    textPhone: 'We can text a 6-digit code to your phone.',
    codeLabel: 'Authenticator code',
    codeLabelPhone: 'Code from the text message',
    which: 'How to verify',
    kinds: { totp: 'Authenticator app', phone: 'Text message' },
    sendCode: 'Send code',
    codeSent: 'The code is on its way',
    verify: 'Verify',
    verifying: 'Verifying...',
    invalidCode: 'That code isn’t right. Codes change every 30 seconds, so try the newest one.',
    invalidCodePhone: 'That code isn’t right. Check the text message, or send a new code.',
    textedCodeOver: 'That code has expired, or was tried too often. Send a new code.',
    codeNotRequested: 'Send a code first. An earlier one doesn’t work here.',
    useRecoveryCode: 'Use a recovery code',
    useAuthenticator: 'Use the authenticator app',
    recoveryText: 'Enter one of the recovery codes you saved. Each works once.',
    recoveryLabel: 'Recovery code',
    recoveryRequired: 'Recovery code is required',
    recoveryInvalid: 'That recovery code isn’t right, or it was already used.',
    cancel: 'Cancel',
  },

  newPassword: {
    title: 'Choose a new password',
    lead: 'This signs you out everywhere else.',
    label: 'New password',
    save: 'Save Password',
    saving: 'Saving...',
    saved: 'Password changed. You’re signed out everywhere else.',
    same: 'That’s already your password. Choose a different one.',
    expiredTitle: 'This link no longer works',
    expiredText: (linkLifeSeconds: number) =>
      `A reset link works once, for ${durationEn(linkLifeSeconds)}. Ask for a new one below.`,
  },

  profile: {
    title: 'Your Profile',
    fullName: 'Full name',
    email: 'Email',
    phone: 'Phone number',
    none: 'None',
    verified: 'Verified',
    notVerified: 'Not verified',
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
        ? `Confirm your email: open the link we sent to ${email}. Until you do, we’ll email you about only 1 more message.`
        : `Confirm your email: open the link we sent to ${email}. Until you do, we’ll email you about only ${left} more messages.`,
    /** The emails for an unconfirmed address are used up; `missed` is the number of messages since. */
    unprovedStopped: (email: string, sent: number, missed: number) =>
      missed === 0
        ? `${email} isn’t confirmed, so we stopped emailing you after ${sent} messages. Open the link in our email to start again.`
        : missed === 1
          ? `${email} isn’t confirmed, so we stopped emailing you after ${sent} messages. You’ve had 1 more since. Open the link in our email to start again.`
          : `${email} isn’t confirmed, so we stopped emailing you after ${sent} messages. You’ve had ${missed} more since. Open the link in our email to start again.`,
    noEmail: 'Your account has no email address, so we can’t tell you when a finder writes.',
    addEmail: 'Add your email',
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

  recentProof: {
    currentPassword: 'Current password',
    currentPasswordWrong: 'That’s not your current password',
    title: 'Confirm it’s you',
    text: 'You signed in a while ago. Enter your password to continue.',
    confirm: 'Confirm',
    useCode: 'Use a code instead',
    codeText: 'You signed in a while ago. We’ll send a code to your confirmed email or phone number.',
    codeSent: 'Enter the 6-digit code we just sent you.',
    codeLabel: 'Confirmation code',
    unreachable: 'This account has no confirmed email or phone number. Sign out, sign in again, and try once more.',
  },

  providers: {
    or: 'or',
    continueWith: (name: string) => `Continue with ${name}`,
    failed: 'We couldn’t start the sign-in. Please try again.',
  },

  sessionEnded: 'You were signed out. Please sign in again.',
};
