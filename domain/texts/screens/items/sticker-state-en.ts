/** Whether an item has a sticker that works, on its owner's page, in English. */
export const stickerStateEn = {
  needed: 'Print one, put it on, and scan it once. Until then, a finder can’t reach you.',
  /** After the first scan, above the page of finders. */
  works: 'It works. This is what a finder sees.',
  goOn: 'Go to your item',
} as const;
