import { expect, test } from 'vitest';
import { undoAll } from './undo-all.ts';

test('steps are undone last first, and one that fails does not stop the others', async () => {
  const ran: string[] = [];
  const steps = [
    () => ran.push('first'),
    async () => {
      ran.push('second');
      throw new Error('second');
    },
    () => {
      ran.push('third');
      throw new Error('third');
    },
  ];
  await expect(undoAll(steps)).rejects.toThrow('third');
  expect(ran).toEqual(['third', 'second', 'first']);
  // Each runs once.
  expect(steps).toEqual([]);
});
