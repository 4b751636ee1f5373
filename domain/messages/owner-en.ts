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
    newAnswer: (owner: string) => `${owner} has answered`,
    hint: 'Only this browser can open it. To read on later, open this page in it again or scan the sticker.',
    inUtc: (moment: string) => `${moment} UTC`,
  },
};
