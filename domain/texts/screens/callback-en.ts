/** What follows a link in an email or a sign-in elsewhere, in English. */
export const callbackEn = {
  title: 'Confirm',
  confirmTitle: 'Almost done',
  confirmTexts: {
    signup: 'Press the button to confirm your email address and open your account.',
    invite: 'Press the button to accept the invitation and open your account.',
    magiclink: 'Press the button to sign in.',
    email: 'Press the button to confirm that this email address is yours.',
    email_change: 'Press the button to confirm your new email address.',
  },
  addsToAccount: (account: string) => `We’ll add it to the account you’re signed in to: ${account}`,
  confirm: 'Confirm',
  confirming: 'Confirming...',
  confirmed: 'Email address confirmed',
  oneMoreTitle: 'One more link to open',
  oneMoreText:
    'Thanks, that’s half of it. We also emailed your other address: open the link in that email to finish the change.',
  signingIn: 'Signing In...',
  failures: {
    expired: {
      title: 'This link no longer works',
      text: 'It was already used, or it has expired. Sign in, and ask for a new one if you still need it.',
    },
    otherBrowser: {
      title: 'Continue in the other browser',
      text: 'You started signing in with another browser or app. To keep your account safe, open the link there, or start again here.',
    },
    signInFirst: {
      title: 'Sign in here first',
      text: 'For your safety, this link works only in a browser where you’re signed in to the account. Sign in, then open the link again.',
    },
    denied: {
      title: 'You’re not signed in',
      text: 'The sign-in was canceled, or the other service didn’t allow it. Nothing changed.',
    },
    accountExists: {
      title: 'There’s already an account with this email',
      text: 'We didn’t open it, because its email isn’t confirmed yet. Sign in with your password and open the link in our email. After that, the other service can sign you in too.',
    },
    addressUnproved: {
      title: 'Confirm your email there first',
      text: 'The other service doesn’t confirm that this email is yours. Confirm it there, then sign in again.',
    },
    addressMissing: {
      title: 'No email address was shared',
      text: 'An account needs one. Let the other service share yours, or create an account here.',
    },
    failed: {
      title: 'That didn’t work',
      text: 'Something went wrong on our side. Please try again in a moment.',
    },
    nothing: {
      title: 'There’s nothing to confirm here',
      text: 'The link is incomplete. Open it again from the email.',
    },
  },
  toSignIn: 'Sign In',
  toProfile: 'Your Profile',
} as const;
