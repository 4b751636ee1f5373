/** What an owner and a finder are told of each other, in English. */
export const ownerEn = {
  /** Where the owner of an item cannot be asked for (specification, section 8). */
  ownerRetrieval: {
    title: 'Error retrieving item owner details',
    failed: (reason: string) => `Failed to fetch owner: ${reason}`,
    offline: 'you are offline',
    unanswered: 'the service did not answer',
    itemWithoutOwner: 'Item has no associated user ID',
    withoutContact: 'Owner profile is missing contact information',
    profileNotFound: 'Owner profile not found',
  },

  /** The conversation as the finder sees it. */
  conversation: {
    title: (owner: string) => `Your conversation with ${owner}`,
    youWrote: 'You wrote',
    ownerWrote: (owner: string) => `${owner} wrote`,
    newAnswer: (owner: string) => `${owner} replied`,
    /** Where it takes no more messages; what the owner writes still comes. */
    closed: (owner: string) =>
      `${owner} isn’t accepting more messages for this item right now. Replies to you still appear here.`,
    hint: 'Only this browser can show it. To come back, open this page again or scan the sticker.',
    inUtc: (moment: string) => `${moment} UTC`,
  },

  /** The code of an item, to put on it. */
  sticker: {
    show: 'Print a sticker',
    title: 'A sticker to print',
    text: 'Print it, cut it out, and fix it to your item. It says nothing about you.',
    call: 'Found me? Scan me.',
    picture: (code: string) => `Sticker with the QR code ${code}`,
    print: 'Print',
  },

  /** The conversations about an item as its owner sees them. */
  threads: {
    finder: (number: number) => `Finder ${number}`,
    with: (finder: string) => `Conversation with ${finder}`,
    unread: (count: number) => `${count} new`,
    lastMessage: (moment: string) => `Last message ${moment}`,
    replyLabel: (finder: string) => `Your reply to ${finder}`,
    replyPlaceholder: 'Thank you! Where can we meet?',
    replyHint: 'The finder sees your first name and nothing else about you.',
    send: 'Send',
    sending: 'Sending...',
    waiting: 'Not sent yet. We are trying again...',
    refused: 'Not sent',
    refusedToast: 'Your reply could not be sent',
    sendAgain: 'Send again',
    discard: 'Discard',
  },

  itemEditing: {
    edit: 'Edit item',
    nameIt: 'What did you stick it on? Say so here: a finder sees the name.',
    title: 'Edit item',
    name: 'Name',
    nameRequired: 'Please enter a name',
    note: 'Note to finders (optional)',
    noteHint: 'Shown on the finder’s page. Leave out what a stranger should not know.',
    save: 'Save',
    saving: 'Saving...',
    cancel: 'Cancel',
    saved: 'Item saved',
    waiting: 'Not saved yet. We are trying again...',
    refused: 'The change could not be saved. Please try again.',
  },

  lostMode: {
    title: 'Is it missing?',
    text: 'Mark it as lost, and whoever scans it is told that you are looking for it.',
    mark: 'Mark as lost',
    marking: 'Marking...',
    dialogTitle: (itemName: string) => `Mark ${itemName} as lost`,
    dialogNote: 'Note to finders (optional)',
    dialogPlaceholder: 'For example: lost on bus 18. There is a reward!',
    marked: 'Marked as lost',
    lostTitle: 'Reported lost',
    lostSince: (day: string) => `Finders are told that you are looking for it, since ${day}.`,
    found: 'I have it back',
    isBack: 'No longer marked as lost',
  },

  /** Asked once: which ways finders shall have. */
  ways: {
    title: 'How may finders reach you?',
    open: (names: readonly string[]) =>
      `Right now by ${new Intl.ListFormat('en-GB').format(names)}. Your number and address are not shown on any page; a finder who chooses WhatsApp, call or email sees it only then.`,
    messageOpen: 'Right now by anonymous message. Your number and address are not shown to anybody.',
    names: { whatsapp: 'WhatsApp', call: 'call', email: 'email', message: 'anonymous message' },
    noneOpenForItem: 'Nobody who finds it can reach you.',
    noneOpenForItems: (names: readonly string[]) =>
      `Nobody who finds ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)} can reach you, because every way to you is closed there.`,
    noneOpen: 'Nobody who finds one of your items can reach you, except where an item has its own setting.',
    messagesOnly: 'Messages only',
    keepAll: 'Keep all open',
    hint: 'You can change this at any time, for your account and for each item.',
    messagesOnlyDone: 'Finders can now reach you by anonymous message only',
    keptDone: 'All ways stay open',
    failed: 'Your choice could not be saved. Please try again.',
    updateProfile: 'Update your profile',
    updateProfileHint: 'Signing up allows others to contact you when they find your items',
    notSavedYet: 'Not saved yet. We are trying again...',
  },
};
