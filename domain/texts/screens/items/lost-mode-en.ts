/** Whether an item is lost, where its owner changes it, in English. */
export const lostModeEn = {
  notLost: 'Not lost',
  mark: 'Mark as lost',
  marked: 'Marked as lost',
  /** For some minutes after it was marked. */
  undo: 'Undo',
  undone: 'No longer marked as lost',
  lostTitle: 'Reported lost',
  lostSince: (day: string) => `Since ${day}, finders see that you’re looking for it.`,
  addDetails: 'Add where you lost it, or a reward',
  changeDetails: 'Change the note or the reward',
  notePlaceholder: 'For example: lost on bus 18.',
  notNow: 'Not now',
  found: 'I have it back',
  isBack: 'Glad you have it back! It’s no longer marked as lost.',
} as const;
