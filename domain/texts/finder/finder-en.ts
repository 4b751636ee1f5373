import { DEFAULT_OWNER_NAME } from '#domain/item/found-item.ts';

/** Texts of the finder's page, in English. */
export const finderEn = {
  finder: {
    pageTitle: (itemName: string, product: string) => `${itemName} – ${product}`,
    youFound: 'You found',
    /** Shown in place of an item's name while it has the default one. */
    foundSomethingOf: (owner: string) => `You found something of ${owner}’s`,
    somethingOf: (owner: string) => `Something of ${owner}’s`,
    belongsTo: (owner: string) => `It belongs to ${owner}.`,
    thanks: 'Thank you for stopping to help!',
    lostTitle: 'Reported lost',
    lostText: (owner: string) => `${owner} is looking for it.`,
    noteFrom: (owner: string) => `A note from ${owner}`,
    rewardFrom: (owner: string) => `${owner} offers a reward`,
    /** The service takes no part in it. */
    rewardHint: 'We don’t handle money.',
    contactTitle: (owner: string) => `Contact ${owner}`,
    contactHint: (owner: string) => `${owner} will see how you got in touch.`,
    whatsApp: 'WhatsApp',
    call: 'Call',
    email: 'Email',
    share: 'Share',
    messageTitle: 'Anonymous message',
    messageLabel: 'Your message',
    messageHint: (owner: string) => `${owner} won’t see who you are.`,
    messagePlaceholder: 'Where did you find it, and where is it now?',
    send: 'Send Message',
    sending: 'Sending...',
    sentTitle: 'Anonymous message sent to owner',
    sentText: (owner: string) => `${owner}’s reply will appear on this page.`,
    /** Above why. */
    notSentTitle: 'Your message wasn’t sent',
    /** After several attempts. */
    notSentText: 'Everything you entered is still here. Please try again.',
    notSentTextOrElse: 'Everything you entered is still here. Please try again, or use another way on this page.',
    messageEmpty: 'Write a message first',
    messageTooLong: (limit: number) => `Keep your message to ${limit} characters or fewer`,
    /** To a finder whom the owner blocked. */
    blocked:
      'This owner isn’t accepting more messages from you. If you have the item, please hand it in at a lost and found nearby.',
    messagesOff: 'This owner isn’t accepting messages for this item.',
    /** A limit that counts the messages of a network, or of the finder's conversation. */
    tooManyMessages: (hasOtherMethods: boolean) =>
      `Too many messages came from you, or from others on this network. Please wait a while${hasOtherMethods ? ', or use another way on this page' : ''}.`,
    /** The limit of messages from all finders of this item. */
    tooManyOpenings: 'Too many attempts. Please wait a while and try again.',
    tryAgainBy: 'We’re trying again...',
    openLink: 'Tap again to open',
    foreignForm: 'This came from another site, so nothing was sent. Please try again from this page.',
    tooManyLookupsTitle: 'Too many codes in a short time',
    tooManyLookupsText: 'Please wait a while, then scan the sticker again.',
    tooFastTitle: 'Too many requests in a short time',
    unavailableText: 'Please try again in a moment.',
    /** After a form, while our database takes too long. */
    unconfirmedTitle: 'We couldn’t confirm that it worked',
    unconfirmedText: 'Our service is slow at the moment. It’s safe to try again.',
    /** The database's name for an owner without one, as the specification has it. */
    defaultOwnerName: DEFAULT_OWNER_NAME,
    /** Shown below `ownerRetrieval.withoutContact`, where a message is the only way left. */
    seenAtSignIn: (owner: string) =>
      `We can’t notify ${owner}. You can leave a message, and ${owner} will see it when they next sign in.`,
    noContactMethods: 'No contact methods are available for this owner.',
    /** Shown below `noContactMethods`. */
    handIn: 'Please hand it in at a lost and found nearby, or check this page again later.',
    limitedContact: 'Limited contact info available',
    /** Leads to the page for reports to the operator. */
    report: 'Report this page',
    contactUnavailable: 'Unable to retrieve all contact information',
    emailUnavailable: 'Email not available for this owner',
    phoneUnavailable: 'Phone number not available for this owner',
  },

  /** The conversation on the finder's page. */
  conversation: {
    title: (owner: string) => `Your conversation with ${owner}`,
    youWrote: 'You wrote',
    ownerWrote: (owner: string) => `${owner} wrote`,
    newReply: (owner: string) => `${owner} replied`,
    /** Where new messages are refused; replies of the owner still appear. */
    closed: (owner: string) =>
      `${owner} isn’t accepting more messages for this item right now. Replies to you still appear here.`,
    returnedTitle: (owner: string) => `${owner} has it back`,
    /** Thanks the finder. */
    returnedText: 'Thank you for your help! If there’s anything else, you can still write.',
    /** The conversation ended, because the item was given to another account. */
    movedTitle: 'This item has a new owner',
    movedText:
      'Your conversation was with the previous owner, and has ended. The new owner knows nothing of what you agreed. Please write again.',
    /** What became of the finder's latest message, and what happens next. */
    sent: 'Sent.',
    sentNext: (owner: string) => `${owner} will get it soon, or when they next sign in.`,
    contactWrote: (owner: string) => `A contact of ${owner} wrote`,
    delivered: 'Delivered.',
    contacted: 'We also told another contact.',
    /** To the hour. A sentence with a time. */
    seen: <Moment>(moment: Moment): (string | Moment)[] => ['Seen about ', moment, '.'],
    /** After it was delivered or seen. */
    next: (owner: string) => `You’ll read ${owner}’s reply here.`,
    returnCode: 'Your return code',
    returnHint: 'To come back on any phone, scan the sticker and enter this code. It’s for you and the owner alone.',
    atHandOver: (owner: string) => `When you meet, compare codes: ${owner} has this one too.`,
    privateLink: 'Private link to this conversation',
    /** Leads to the page on which a finder leaves an email address. */
    emailReplies: 'Email me about replies',
    otherConversation: 'Show another conversation',
    wroteBefore: 'I wrote before',
    /** For a private link on another site. */
    confirmLink: 'Only open this conversation if it’s yours.',
    openConversation: 'Open my conversation',
    returnCodeLength: 'A return code has 8 letters and numbers.',
    /** For a wrong code or link. */
    opensNothing: 'We can’t find a conversation about this item with that code or link.',
    inUtc: (moment: string) => `${moment} UTC`,
  },
};
