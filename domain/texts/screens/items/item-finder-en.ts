/** The search among an owner's items, in English. */
export const itemFinderEn = {
  search: 'Search your items',
  /** Beside the field, on a keyboard. */
  hint: 'A name, a word of the description, or the code on the sticker',
  /** Names the group of buttons, each of which shows some of the items. */
  show: 'Show',
  all: 'All',
  withNews: (count: number) => `New messages (${count})`,
  lost: (count: number) => `Lost (${count})`,
  needSticker: (count: number) => `Needs a sticker (${count})`,
  /** To screen readers, after each change. */
  found: (count: number) => (count === 1 ? '1 item' : `${count} items`),
  nothingTitle: 'No item found',
  showAll: 'Show all items',
} as const;
