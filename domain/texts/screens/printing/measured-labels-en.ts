/** Texts about labels that an owner measured and saved for the account, in English. */
export const measuredLabelsEn = {
  lead: 'Save the labels that you use, and you’ll find them on all your devices.',
  legend: 'Your saved labels',
  /** The name to begin with, of the first labels and of further ones. */
  name: (number: number) => (number === 1 ? 'My labels' : `My labels ${number}`),
  nameLabel: 'Name of these labels',
  nameMissing: 'Enter a name.',
  nameTaken: 'You have labels with this name. Please enter another one.',
  save: 'Save these labels',
  saving: 'Saving...',
  /** Instead of the measures that are saved under this name. */
  change: (name: string) => `Save changes to “${name}”`,
  saved: (name: string) => `“${name}” is saved`,
  full: (most: number) => `You can save up to ${most} kinds of labels. Remove one first.`,
  edit: (name: string) => `Rename or remove ${name}`,
  editTitle: 'Rename or remove these labels',
  rename: 'Save name',
  remove: 'Remove',
  removing: 'Removing...',
  removed: (name: string) => `“${name}” is removed`,
  removeText: 'Stickers that you have printed stay as they are.',
  failed: 'That didn’t work. Please check your connection and try again.',
};
