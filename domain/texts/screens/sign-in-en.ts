import { durationEn } from '../duration-en.ts';

/** Texts of whatever asks for credentials or codes: signing in and up, resets, and proofs, in English. */
export const signInEn = {
  auth: {
    titles: {
      login: 'Welcome back',
      phone: 'Sign in by phone',
      register: 'Create your account',
      reset: 'Reset your password',
    },
    leads: {
      login: 'Sign in to see your items and messages from finders.',
      phone: 'We’ll text a code to your phone number.',
      register: 'So the person who finds your things can reach you.',
      reset: 'Enter your email and we’ll send a reset link.',
    },
    signInByPhone: 'Sign in by phone',
    phoneSignInHint: 'Use the number you confirmed for your account.',
    sendSignInCode: 'Send Code',
    phoneCodeSent: (maskedPhone: string) => `If an account has confirmed ${maskedPhone}, a 6-digit code is on its way.`,
    resendOrChangeNumber: 'Resend code or change the number',
    qrBanner: (code: string) => `Creating an account to tag your item with QR code: ${code}`,
    /** For a finder of an item with this sticker. A sentence with a link: `again` renders the linked words. */
    freeStickerFound: <Link>(again: (words: string) => Link): (string | Link)[] => [
      'Found something with this sticker? No one has registered it yet, so we can’t reach an owner. You don’t need an account: hand the item in nearby, and ',
      again('check the sticker again later'),
      '.',
    ],
    fullName: 'Full name',
    email: 'Email',
    phone: 'Phone number',
    password: 'Password',
    emailPlaceholder: 'you@example.com',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    suggestPassword: 'Suggest a strong password',
    passwordSuggested: 'We filled in a strong password. Let your browser save it.',
    /** Without a figure, that of the specification. */
    passwordHint: (least = 6) => `At least ${least} characters`,
    phoneHint:
      'We’ll text you a code. Finders see your number only if they choose to call or use WhatsApp, and you allow it.',
    /** Where the registration's code goes to the email address. */
    phoneHintCodeByEmail: 'Finders see it only if they choose to call or use WhatsApp, and you allow it.',
    phoneCountry: (name: string, callingCode: string) => `Country: ${name} +${callingCode}`,
    phoneCountrySearch: 'Search for a country',
    phoneNoCountry: 'No country with that name',
    phonePlaceholder: 'Enter phone number',
    phoneInvalid: 'That’s not a complete phone number for this country',
    signIn: 'Sign In',
    signingIn: 'Signing In...',
    signUp: 'Sign Up',
    noAccountYet: 'No account yet?',
    createAccount: 'Create Account',
    creatingAccount: 'Creating Account...',
    alreadyHaveAccount: 'Already have an account?',
    signInWithThisEmail: 'Sign in with this email',
    notOurStickerTitle: 'We don’t know this sticker',
    notOurStickerText: (code: string) =>
      `You can’t register “${code}” here. If you typed it, check that nothing is missing. If you scanned it, the sticker isn’t one of ours. You can still create an account.`,
    notOurStickerSignIn: (code: string) => `You can’t register “${code}” here. You can still sign in.`,
    forgotPassword: 'Forgot password?',
    sendResetLink: 'Send Reset Link',
    sendingResetLink: 'Sending...',
    resetSent: 'If there’s an account with this email, a reset link is on its way.',
    /** A sentence with two links: `terms` and `privacy` render the linked words. */
    legalNote: <Link>(terms: (words: string) => Link, privacy: (words: string) => Link): (string | Link)[] => [
      'By creating an account, you accept ',
      terms('the terms'),
      ' and ',
      privacy('the privacy notes'),
      '.',
    ],
  },

  verification: {
    title: 'Verify Your Account',
    sentToPhone: (maskedPhone: string) => `Enter the 6-digit code we sent to ${maskedPhone}.`,
    sent: 'Enter the 6-digit code we sent to you.',
    sentToEmail: (email: string) => `Enter the 6-digit code we sent to ${email}.`,
    codeLabel: 'Verification code',
    digit: (position: number, length: number) => `Digit ${position} of ${length}`,
    verify: 'Verify',
    verifying: 'Verifying...',
    resend: 'Resend code',
    resendIn: (seconds: number) => `Resend code in ${seconds} s`,
    /** Cancels the verification. Must differ from the name of the page's back link. */
    back: 'Cancel and go back',
    developmentTitle: 'Development mode',
    developmentNotice: 'In production, this would be sent via SMS',
    currentCode: 'Current code',
    backupCode: 'Backup code',
    newCode: (code: string) => `Your new code is ${code}`,
    /** Where the code goes by text, and those are held back: a new registration gets it by email. */
    textsHeldBack:
      'We can’t send texts to this number right now. Go back and create the account again: the code will come by email.',
    codeSentAgain: 'A new code is on its way',
    /** The fixed code of a development server (specification, section 9). */
    fixedCode: (code: string) => `Your verification code is ${code}`,
    /** Shown in place of an invalid code. */
    codeSpent: 'Used up',
    codeExpired: 'Expired',
    alreadySent: (seconds: number) => `We already sent you a code. You can ask for a new one in ${seconds} s.`,
  },

  secondFactor: {
    title: 'One more step',
    text: 'Enter the 6-digit code from your authenticator app.',
    textPhone: 'We can text a 6-digit code to your phone.',
    codeLabel: 'Authenticator code',
    codeLabelPhone: 'Code from the text message',
    which: 'How to verify',
    kinds: { totp: 'Authenticator app', phone: 'Text message' },
    sendCode: 'Send Code',
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
};
