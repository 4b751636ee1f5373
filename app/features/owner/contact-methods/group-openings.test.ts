import { expect, it } from 'vitest';
import type { ContactOpening } from '#app/data/contact-methods.ts';
import { groupOpenings } from './opening-list.tsx';

it('counts what was opened in the same way in the same hour, and keeps the rest apart', () => {
  const opening = (id: string, channel: ContactOpening['channel'], hour: string): ContactOpening => ({
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
