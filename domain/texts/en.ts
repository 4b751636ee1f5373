import { accountEn } from './account-en.ts';
import { durationEn } from './duration-en.ts';
import { offlineEn } from './offline-en.ts';
import { ownerEn } from './owner-en.ts';
import { scannerEn } from './scanner-en.ts';
import { tapsEn } from './taps-en.ts';
import { typedCodeEn } from './typed-code-en.ts';

/** Shown for checks of this browser and of the auth service (section 8 of the specification). */
const emailNotAccepted =
  'Email address format is not accepted by our authentication provider. Please use a different email address with a common domain (like gmail.com, outlook.com, etc).';

const inBrackets = (itemName: string | null) => (itemName === null ? '' : ` (${itemName})`);

/**
 * All texts of the screens, in English. Texts of the specification are exact. A text with parameters is a function, so
 * that no screen joins pieces of sentences.
 */
export const en = {
  ...accountEn,
  ...offlineEn,
  ...ownerEn,
  ...scannerEn,
  ...tapsEn,
  ...typedCodeEn,

  common: {
    loading: 'Loading...',
    close: 'Close',
    tryAgain: 'Try again',
    notifications: 'Notifications',
    defaultUserName: 'User',
    anErrorOccurred: 'An error occurred',
    /** An unexpected error in the page. */
    unexpectedTitle: 'Something went wrong',
    unexpectedBody: 'We couldn’t show this page. Nothing is lost.',
    screenNotHere: 'We couldn’t load this screen',
    partMissing: 'Something is missing on our side. Please try again later.',
    needsScript: 'This page needs JavaScript, which is off in this browser.',
    /** Shown on every screen while offline. */
    offlineNotice: 'You’re offline',
    /** The screen's content could not be refreshed. */
    shownAsItWas: 'We couldn’t update this page, so it may be out of date.',
    offline: 'You’re offline. We’ll try again as soon as you’re connected.',
  },

  footer: {
    privacy: 'Privacy',
    terms: 'Terms',
    faq: 'FAQ',
    copyright: (year: number, product: string) => `© ${year} ${product}. All rights reserved.`,
  },

  redirect: {
    title: 'Redirecting...',
    redirecting: 'Redirecting...',
  },

  notFound: {
    title: 'Page not found',
    text: 'There’s nothing at this address. If you scanned a sticker, try again with the whole code in view.',
    home: 'Go to the start page',
  },

  validation: {
    fullNameRequired: 'Full name is required',
    fullNameIsNoName: 'Enter your name, not an email address or phone number',
    phoneRequired: 'Phone number is required',
    emailRequired: 'Email is required',
    emailNotAccepted,
    passwordRequired: 'Password is required',
    /** Without a figure, that of the specification. */
    passwordTooShort: (least = 6) => `Password must be at least ${least} characters`,
    invalidCode: 'Please enter a valid 6-digit code',
    chooseItemType: 'Please select an item type or enter a custom item name',
  },

  /** Errors of a sign-in or sign-up, from the auth service or this client (section 8). */
  authErrors: {
    emailNotAccepted,
    accountExists: 'An account with this email already exists. Please sign in instead.',
    loginFailed: 'Login failed. Please check your credentials.',
    registrationFailed: 'Registration failed. Please try again.',
    resetFailed: 'Failed to send reset email.',
    profileFailed: 'We couldn’t save your changes. Please try again.',
    passwordFailed: 'We couldn’t change the password. Please try again.',
    missingVerification: 'Missing verification email or password',
    invalidCode: 'Invalid verification code',
    /** Below it: the service refuses a wrong, a used, and a replaced code alike. */
    invalidCodeAdvice: (codeLifeSeconds: number) =>
      `Use the code from our newest message. A code works once, for ${durationEn(codeLifeSeconds)}. Resend it to get a new one.`,
    /** The service failed before it checked the code. */
    codeNotChecked: 'We couldn’t check the code. Please try again in a moment.',
    codeSpent: 'Invalid verification code. After 5 wrong tries a code stops working. Resend it to get a new one.',
    codeExpired: (codeLifeSeconds: number) =>
      `Invalid verification code. A code works for ${durationEn(codeLifeSeconds)}, and this one has expired. Resend it to get a new one.`,
    codeNotSent: 'We couldn’t send the code. Please try again.',
    /** This server sends no texts to the number's country or type. */
    phoneNotSupported:
      'We can’t send texts to this number: its country or type isn’t supported. Use another number, or your email.',
    /** Texts to numbers like this one are held back for now. */
    smsHeldBack: 'We can’t send texts to this number right now. Use another number, or your email.',
    tooManyAttempts: 'Too many attempts. Please try again later.',
    /** Other details were entered while a code is on its way, and the service keeps the earlier ones. */
    changesNotSaved: (seconds: number) =>
      `We just sent a code for this email, for the details you entered then. Your changes aren’t saved yet: create the account again in ${seconds} s.`,
    /** A code or a link was requested less than a gap ago, and may be on its way. */
    askedRecently: (seconds: number) => `You just asked for this. Check your messages, or ask again in ${seconds} s.`,
    unavailable: 'Something went wrong on our side. Please try again in a moment.',
    unreachable: 'We can’t reach the server. Check your connection and try again.',
  },

  toasts: {
    signedIn: 'Successfully signed in!',
    signedOut: 'Signed out successfully',
    signInFailed: 'Failed to sign in',
    signOutFailed: 'Failed to sign out',
    resetSent: 'Password reset email sent successfully',
    resetFailed: 'Failed to send reset email',
    verifyPhone: 'Please verify your phone number to complete registration',
    verifyEmail: 'Please verify your email address to complete registration',
    verified: 'Verification successful!',
    verificationSuccessful: 'Verification successful',
    verificationFailed: 'Verification failed',
    verifyCodeFailed: 'Failed to verify code',
    invalidCode: 'Invalid verification code. Please try again.',
    resendFailed: 'Failed to resend code',
    loadItemsFailed: 'Failed to load your items',
    addItemFailed: 'Failed to add item',
    itemTagged: 'Item tagged successfully!',
    tagFailed: 'Failed to tag item. Please try again.',
    sessionMissing: 'Auth session missing!',
    newMessage: (itemName: string) => `New message about ${itemName}`,
    readMessage: 'Read',
    linkCopied: 'Link copied to clipboard',
    shared: 'Shared successfully',
    shareFailed: 'Share failed',
    emailOpened: 'Email client opened',
    phoneOpened: 'Phone dialer opened',
    whatsAppOpened: 'WhatsApp opened',
    messageSent: 'Anonymous message sent to owner',
  },

  dashboard: {
    title: 'Your Tagged Items',
    greeting: (firstName: string) => `Hello, ${firstName}`,
    logout: 'Logout',
    profile: 'Profile',
    scanToTag: 'Scan QR to Tag New Item',
    scanCard: 'Scan QR to tag new item',
    emptyTitle: 'No items tagged yet',
    emptyText: 'Start by scanning a QR code to tag a new item',
    loadFailed: 'Failed to load your items',
    loadFailedText: 'Your items are safe. We just couldn’t load them.',
    taggedOn: (date: string) => `Tagged on ${date}`,
    unread: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
    lost: 'Lost',
    spreadsheet: 'Many items? Use a spreadsheet',
    voidCode: 'Sticker no longer works',
    needsSticker: 'Needs a sticker',
    noName: 'Finders see “Item Owner” instead of your name.',
    addName: 'Add your name',
  },

  item: {
    title: 'Item',
    logIn: 'Log In',
    back: 'Back',
    /** The code is new, or what had it was deleted. */
    placeholderTitle: 'Nothing here',
    placeholderText: 'No item is tagged with this code.',
    /** For a finder of an item with such a sticker. A sentence with a link: `again` renders the linked words. */
    freeStickerFound: <Link>(again: (words: string) => Link): (string | Link)[] => [
      'Found something with this sticker? It isn’t registered to anyone, so we can’t reach an owner. You don’t need an account: hand the item in nearby, and ',
      again('check the sticker again later'),
      '.',
    ],
    placeholderAction: 'Tag an item with this code',
    notInUseTitle: 'This sticker isn’t in use',
    notInUseText:
      'It doesn’t lead to an owner. If you found something with it, leave it where its owner will look: at a front desk, with the driver, or at the nearest lost and found. If you typed the code, check that nothing is missing.',
    notInUseAction: 'Enter the code on the sticker',
    voidCodeTitle: 'This sticker no longer works',
    voidCodeReason: (reason: string) => `We turned it off: “${reason}”`,
    voidCodeAdvice: 'A finder who scans it can’t reach you. Take it off, and tag your item with another sticker.',
    loadFailed: 'We couldn’t load this item',
    returnToDashboard: 'Return to Dashboard',
    owner: {
      details: 'Item details',
      type: 'Type',
      description: 'Description',
      noDescription: 'No description',
      note: 'Note to finders',
      reward: 'Reward',
      tagged: 'Tagged on',
      code: 'Code',
      link: 'Link for finders',
      copyLink: 'Copy link',
      yours: 'This is your item',
      messages: 'Messages from finders',
      noMessagesTitle: 'No messages yet',
      noMessagesText: 'When someone finds this item and writes to you, you see it here.',
      fromFinder: 'A finder wrote',
      fromOwner: 'You wrote',
      fromContact: 'Your second contact wrote',
      isNew: 'New',
      channelNames: { whatsapp: 'WhatsApp', call: 'Call', email: 'Email', message: 'Anonymous message' },
      channelFailed: 'We couldn’t save the change. Please try again.',
      openings: 'Contact activity',
      opened: {
        whatsapp: 'Someone opened WhatsApp to message you',
        call: 'Someone opened your phone number',
        email: 'Someone opened your email address',
      },
      /** The time is stored to the hour only. */
      openedAbout: (hour: string) => `about ${hour}`,
      openedTimes: (count: number) => `${count} times`,
      delete: 'Delete item',
      deleteTitle: (itemName: string) => `Delete ${itemName}?`,
      deleteText: 'This also deletes its messages. You can use its sticker again. You can’t undo this.',
      deleteConfirm: 'Delete',
      deleting: 'Deleting...',
      keep: 'Keep it',
      deleted: 'Item deleted',
      deleteFailed: 'We couldn’t delete the item. Please try again.',
    },
  },

  tagging: {
    title: 'What are you tagging?',
    lead: 'A finder sees this and your first name.',
    forCode: (code: string) => `QR code ${code}`,
    withoutSticker: 'No sticker? You can print one next.',
    types: 'Item type',
    customItem: 'Custom Item',
    customName: 'Item name',
    customPlaceholder: 'For example, cello case',
    description: 'Description (optional)',
    descriptionHint: 'Only you see this: a color, a serial number, what’s inside.',
    submit: 'Tag Item',
    submitting: 'Tagging...',
    mustBeSignedIn: 'You must be logged in to tag an item',
    alreadyTagged: 'This QR code is already tagged to an item',
    notIssued: 'This QR code isn’t one of ours',
    targets: { legend: 'What is this sticker for?', new: 'New item', existing: 'An item you already have' },
    yourItems: 'Your items',
    searchItems: 'Search your items',
    noItemFound: 'No item has this name.',
    attachedTitle: 'Sticker added',
    attachedText: (name: string) => `Finders who scan it now reach you about ${name}.`,
    scanAnother: 'Scan another',
    successTitle: 'Item Tagged!',
    successText: 'If someone finds it, they can reach you now.',
    stickerNext: 'Now it needs a sticker. Print one, put it on, and scan it once.',
    leavingIn: (seconds: number) => `Taking you to your items in ${seconds} s`,
    stay: 'Stay',
    successLink: 'Its link for finders',
  },

  itemTypes: {
    bag: 'Bag',
    backpack: 'Backpack',
    suitcase: 'Suitcase',
    laptop: 'Laptop',
    phone: 'Phone',
    charger: 'Charger',
    headphones: 'Headphones',
    airpods: 'AirPods',
    keys: 'Keys',
    wallet: 'Wallet',
    book: 'Book',
    umbrella: 'Umbrella',
    watch: 'Watch',
    glasses: 'Glasses',
    pen: 'Pen',
    bottle: 'Bottle',
    battery: 'Battery',
    bike: 'Bike',
    pet: 'Pet',
    baby: 'Baby Item',
  },
  otherItemTypes: { custom: 'Custom item', other: 'Item' },

  contact: {
    emailSubject: (product: string) => `Found your item - ${product}`,
    /** Both include the item's name where the owner has given one. */
    emailBody: (itemName: string | null) =>
      `Hello,\n\nI found your item${inBrackets(itemName)}. How can I get it back to you?\n`,
    whatsAppText: (itemName: string | null) =>
      `Hello! I found your item${inBrackets(itemName)}. How can I get it back to you?`,
  },
};

/** The type of every language's catalogue. */
export type Texts = typeof en;
