import { expect, it } from 'vitest';
import type { ChannelOpening } from '#app/lib/channels.ts';
import { groupOpenings } from './group-openings.ts';

it('counts what was opened in the same way in the same hour, and keeps the rest apart', () => {
  const opening = (id: string, channel: ChannelOpening['channel'], hour: string): ChannelOpening => ({
    id,
    channel,
    openedAt: `2026-11-21T${hour}:00:00+00:00`,
  });
  const groups = groupOpenings([
    opening('1', 'call', '05'),
    opening('2', 'whatsapp', '05'),
    opening('3', 'call', '05'),
    opening('4', 'call', '04'),
  ]);
  expect(groups).toEqual([
    { channel: 'call', openedAt: '2026-11-21T05:00:00+00:00', count: 2 },
    { channel: 'whatsapp', openedAt: '2026-11-21T05:00:00+00:00', count: 1 },
    { channel: 'call', openedAt: '2026-11-21T04:00:00+00:00', count: 1 },
  ]);
});
