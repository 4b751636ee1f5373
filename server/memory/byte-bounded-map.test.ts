import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteBoundedMap } from './byte-bounded-map.ts';

const step = fc.oneof(
  fc.record({ set: fc.constantFrom('a', 'b', 'c', 'd', 'e'), bytes: fc.integer({ min: 0, max: 120 }) }),
  fc.record({ drop: fc.constantFrom('a', 'b', 'c', 'd', 'e') }),
);

test('it keeps the newest entries that fit, and counts their bytes', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const map = new ByteBoundedMap<number>(100);
      let model: { key: string; bytes: number }[] = [];
      for (const did of steps) {
        const key = 'set' in did ? did.set : did.drop;
        model = model.filter((kept) => kept.key !== key);
        if ('set' in did) {
          map.set(key, did.bytes, did.bytes);
          if (did.bytes <= 100) model.push({ key, bytes: did.bytes });
        } else map.delete(key);
        while (model.reduce((sum, { bytes }) => sum + bytes, 0) > 100) model.shift();
        expect(map.bytes).toBe(model.reduce((sum, { bytes }) => sum + bytes, 0));
        for (const name of ['a', 'b', 'c', 'd', 'e']) {
          expect(map.get(name)).toBe(model.find((kept) => kept.key === name)?.bytes);
        }
      }
    }),
  );
});
