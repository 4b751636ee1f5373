import { expect, it } from 'vitest';
import { changesOf } from './save-item.tsx';

const before = {
  itemType: 'bag',
  itemName: 'Bag',
  description: null,
  noteToFinders: 'Ring twice',
  reward: null,
} as const;

it('names what was changed and nothing else, so that a change from another tab stays', () => {
  expect(changesOf(before, { ...before, itemName: 'Blue bag' })).toEqual({ itemName: 'Blue bag' });
  const now = {
    itemType: 'custom',
    itemName: 'Bag',
    description: 'Green',
    noteToFinders: null,
    reward: 'Cake',
  } as const;
  expect(changesOf(before, now)).toEqual({
    itemType: 'custom',
    description: 'Green',
    noteToFinders: null,
    reward: 'Cake',
  });
  expect(changesOf(before, before)).toEqual({});
});
