/** What changes hands, on the dashboard, in English. */
export const transferLinesEn = {
  offer: (giver: string, item: string) => `${giver} wants to give you ${item}.`,
  offerOfUnnamed: (item: string) => `Someone wants to give you ${item}.`,
  /** For an item that its giver has not named. */
  anItem: 'an item',
  see: 'See offer',
  given: 'Items you gave away',
} as const;
