import { expect, it } from 'vitest';
import { english } from '#domain/language.ts';
import { ITEM_TYPE_ROWS, ITEM_TYPES, isItemType } from './item-catalogue.ts';

it('offers the 20 types in rows of 8, 8 and 4', () => {
  expect(ITEM_TYPE_ROWS.map((row) => row.length)).toEqual([8, 8, 4]);
  expect(ITEM_TYPE_ROWS.flat()).toEqual(ITEM_TYPES);
});

it('names them as the specification does', () => {
  expect(ITEM_TYPES.map((type) => `${type}/${english.texts.itemTypes[type]}`).join(', ')).toBe(
    'bag/Bag, backpack/Backpack, suitcase/Suitcase, laptop/Laptop, phone/Phone, charger/Charger, ' +
      'headphones/Headphones, airpods/AirPods, keys/Keys, wallet/Wallet, book/Book, umbrella/Umbrella, watch/Watch, ' +
      'glasses/Glasses, pen/Pen, bottle/Bottle, battery/Battery, bike/Bike, pet/Pet, baby/Baby Item',
  );
});

it('knows the catalogue, custom and other, and nothing else', () => {
  for (const type of [...ITEM_TYPES, 'custom', 'other']) expect(isItemType(type)).toBe(true);
  for (const type of ['', 'Bag', 'car', 'constructor']) expect(isItemType(type)).toBe(false);
});
