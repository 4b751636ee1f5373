import { expect, it } from 'vitest';
import type { Item } from '#app/data/items.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { findItems } from './find-items.ts';

// The function reads only these fields.
const item = (itemName: string, description: string | null = null) =>
  ({ itemName, description, qrId: `tgt-code-of-${itemName.length}-${itemName.charCodeAt(0)}` }) as Item;
const bike = item('Mon vélo bleu');
const keys = item('House keys', 'Red ribbon, spare of Ali');
const items = [bike, keys];

it.each([
  ['', items],
  ['  ', items],
  ['velo', [bike]],
  ['BLEU mon', [bike]],
  ['ribbon keys', [keys]],
  ['ribbon bike', []],
  ['zzz', []],
])('finds by the words of the name and the description: %j', (typed, found) => {
  expect(findItems(items, typed, typedCodeOf)).toEqual(found);
});

it('begins with the item whose whole name it is', () => {
  const [tenth, first] = [item('Box 10'), item('Box 1')];
  expect(findItems([tenth, keys, first], 'box 1', null)).toEqual([first, tenth]);
});

it('finds by the code on the sticker, also by a part of it, however it is typed', () => {
  const code = typedCodeOf(keys.qrId);
  for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ' '), code.slice(0, 6), keys.qrId])
    expect(findItems(items, typed, typedCodeOf), typed).toEqual([keys]);
});
