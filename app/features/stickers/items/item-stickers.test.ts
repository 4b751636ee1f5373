import { expect, it } from 'vitest';
import type { Item } from '#app/data/items.ts';
import { type FurtherSticker, firstChosen, withStickers } from './item-stickers.ts';

const item = (qrId: string, voidReason: string | null = null): Item => ({
  id: `id-of-${qrId}`,
  qrId,
  userId: 'dana',
  itemType: 'bag',
  itemName: 'Red bag',
  description: null,
  noteToFinders: null,
  reward: null,
  lostAt: null,
  voidReason,
  needsSticker: false,
  photo: null,
  channels: { whatsapp: null, call: null, email: null, message: null },
  createdAt: '2026-11-23T10:00:00Z',
  updatedAt: '2026-11-23T10:00:00Z',
});
const further = (code: string, standsFor: string, voidReason: string | null = null): FurtherSticker => ({
  code,
  standsFor,
  voidReason,
});

const LIST = withStickers(
  [item('bag'), item('bike', 'Stolen'), item('keys', 'Stolen')],
  [further('bag-2', 'bag'), further('bike-2', 'bike', 'Stolen'), further('bike-3', 'bike')],
);

it('lists an item’s own sticker first, then its others', () => {
  expect(LIST.map(({ stickers }) => stickers.map(({ code }) => code))).toEqual([
    ['bag', 'bag-2'],
    ['bike', 'bike-2', 'bike-3'],
    ['keys'],
  ]);
});

it('chooses exactly the sticker that the owner came from, be it an item’s own or another', () => {
  expect([...firstChosen(LIST, 'bag-2')]).toEqual(['bag-2']);
  expect([...firstChosen(LIST, 'bag')]).toEqual(['bag']);
});

it('chooses nothing where the owner came from a void sticker', () => {
  expect(firstChosen(LIST, 'bike').size).toBe(0);
  expect(firstChosen(LIST, 'bike-2').size).toBe(0);
});

it('chooses one working sticker of each item in a short list, and none in a long one', () => {
  expect([...firstChosen(LIST, null)]).toEqual(['bag', 'bike-3']);
  expect([...firstChosen(LIST, 'unknown')]).toEqual(['bag', 'bike-3']);
  const long = withStickers(
    Array.from({ length: 9 }, (_, index) => item(`item-${index}`)),
    [further('further', 'item-8')],
  );
  expect(firstChosen(long, null).size).toBe(0);
  expect([...firstChosen(long, 'further')]).toEqual(['further']);
});
