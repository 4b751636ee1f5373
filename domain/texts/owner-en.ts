/** Texts of an owner's items, in English. */
export const ownerEn = {
  /** Errors where an item's owner cannot be fetched (specification, section 8). */
  ownerRetrieval: {
    title: 'Error retrieving item owner details',
    failed: (reason: string) => `Failed to fetch owner: ${reason}`,
    offline: 'you’re offline',
    unanswered: 'the service didn’t respond',
    itemWithoutOwner: 'Item has no associated user ID',
    withoutContact: 'Owner profile is missing contact information',
    profileNotFound: 'Owner profile not found',
  },

  /** The printable sticker of an item. */
  sticker: {
    show: 'Print a sticker',
    title: 'A sticker to print',
    text: 'Print it, cut it out, and fix it to your item. It says nothing about you.',
    call: 'Found? Scan me',
    picture: (code: string) => `Sticker with the QR code ${code}`,
    print: 'Print',
    /** Leads to the screen for several stickers, and is its title. */
    printSeveral: 'Print stickers',
    more: 'More sizes and sheets',
  },

  /** The conversations about an item on its owner's page. */
  threads: {
    finder: (number: number) => `Finder ${number}`,
    with: (finder: string) => `Conversation with ${finder}`,
    unread: (count: number) => `${count} new`,
    /** Shown with the code, which the finder has too. */
    returnCode: 'When you meet, ask for this code',
    showReturnCode: 'Show the code',
    returnCodeFailed: 'We couldn’t load the code. Please try again.',
    /** For a link to one of them. */
    gone: 'This conversation is no longer here.',
    /** Before the first line of a message of the owner's own. */
    you: 'You',
    lastMessage: (moment: string) => `Last message ${moment}`,
    replyLabel: (finder: string) => `Your reply to ${finder}`,
    replyPlaceholder: 'Thank you! Where can we meet?',
    replyHint: 'A reply shows the finder your first name, and none of your contact details.',
    send: 'Send',
    sending: 'Sending...',
    waiting: 'Not sent yet. We’re trying again...',
    refused: 'Not sent',
    refusedToast: 'We couldn’t send your reply',
    sendAgain: 'Send again',
    discard: 'Discard',
    takeBack: (finder: string) => `I have it back from ${finder}`,
    returned: 'Returned',
    returnedTitle: 'You have it back',
    returnedText: (finder: string) => `We’ve thanked ${finder}. If they write again, the conversation reopens.`,
    reopen: 'Reopen',
    reopened: 'Conversation reopened',
    mute: 'Mute',
    unmute: 'Unmute',
    muted: 'Muted',
    mutedToast: 'We won’t notify you about this conversation. Messages still arrive here.',
    unmuted: 'Notifications are back on for this conversation',
    block: 'Block',
    unblock: 'Unblock',
    blocked: 'Blocked',
    blockTitle: (finder: string) => `Block ${finder}?`,
    blockText:
      'They can no longer write to you about this item from the same browser, even if you delete the conversation.',
    /** What a block cannot do. */
    blockLimits:
      'We don’t know who finders are, so they can start again in another browser. If they still bother you, turn off the ways to reach you about this item.',
    unblocked: (finder: string) => `${finder} can write to you again`,
    dontBlock: 'Cancel',
    delete: 'Delete conversation',
    deleteTitle: (finder: string) => `Delete the conversation with ${finder}?`,
    deleteText: 'Its messages disappear for you and for the finder. This can’t be undone.',
    deleteConfirm: 'Delete',
    deleting: 'Deleting...',
    keep: 'Keep it',
    deleted: 'Conversation deleted',
    deleteFailed: 'We couldn’t delete the conversation. Please try again.',
  },

  itemEditing: {
    edit: 'Edit item',
    nameIt: 'What is it? Give it a name that a finder will recognize.',
    title: 'Edit item',
    name: 'Name',
    nameRequired: 'Enter a name',
    note: 'Note to finders (optional)',
    noteHint: 'Finders see this. Leave out anything a stranger shouldn’t know.',
    reward: 'Reward (optional)',
    rewardHint: 'Finders see this. You give the reward to the finder yourself. We don’t handle money.',
    save: 'Save',
    saving: 'Saving...',
    cancel: 'Cancel',
    saved: 'Item saved',
    waiting: 'Not saved yet. We’re trying again...',
    refused: 'We couldn’t save the change. Please try again.',
  },

  /** The page of an item tagged at registration, until its owner names it. */
  firstVisit: {
    title: 'It’s tagged. What is it?',
    lead: (itemName: string) => `Until you name it, you see “${itemName}” and finders see “something of yours”.`,
    namePlaceholder: 'For example, house keys',
    save: 'Save',
    saving: 'Saving...',
    namedTitle: (itemName: string) => `“${itemName}” is ready`,
    namedLead: 'Stick the code on it, and anyone who finds it can reach you.',
    stickerTitle: 'Put the sticker on it',
    stickerText: 'No sticker yet? Print one.',
    skip: 'Skip for now',
    done: 'Done',
  },

  /** Shown once: which contact methods finders get. */
  contactMethods: {
    title: 'How finders can reach you',
    open: (names: readonly string[]) =>
      `By ${new Intl.ListFormat('en').format(names)}. Finders see your number or email only if they choose that way.`,
    messageOpen: 'By anonymous message. Finders don’t see your number or email address.',
    line: (names: readonly string[]) => `Finders can reach you by ${new Intl.ListFormat('en').format(names)}.`,
    names: { whatsapp: 'WhatsApp', call: 'call', email: 'email', message: 'anonymous message' },
    noneOpenForItem: 'Finders can’t reach you about this item.',
    noneOpenForItems: (names: readonly string[]) =>
      `Finders can’t reach you about ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}.`,
    noneOpen: 'Finders can’t reach you, except about items with their own settings.',
    turnOn: 'Let finders reach you',
    messagesOnly: 'Messages only',
    keepAll: 'Keep all open',
    /** Above `messagesOnly` and `keepAll`, on the page of one item, whose own switches follow. */
    choiceHint: 'Choose for all your items. You can change it anytime, also for this item alone.',
    messagesOnlyDone: 'For all your items, finders can now reach you by anonymous message only',
    keptDone: 'Everything stays open',
    failed: 'We couldn’t save your choice. Please try again.',
    updateProfile: 'Update your profile',
    updateProfileHint: 'Signing up allows others to contact you when they find your items',
    notSavedYet: 'Not saved yet. We’re trying again...',
  },
};
