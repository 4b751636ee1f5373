import type { ChannelOpening } from '#app/lib/channels.ts';

export interface OpeningGroup extends Omit<ChannelOpening, 'id'> {
  readonly count: number;
}

/** The openings of one way in one hour as one, in the order in which the first of each stands. */
export function groupOpenings(openings: readonly ChannelOpening[]): readonly OpeningGroup[] {
  const groups = new Map<string, OpeningGroup>();
  for (const { channel, openedAt } of openings) {
    const key = `${channel} ${openedAt}`;
    groups.set(key, { channel, openedAt, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()];
}
