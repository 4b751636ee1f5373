import { describe, expect, test } from 'vitest';
import { randomId, timeOrderedId } from './ids.ts';

describe('a random id', () => {
  test('is a UUID of version 4, and another each time', () => {
    const ids = Array.from({ length: 100 }, randomId);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('an id in the order of time', () => {
  test('is a UUID of version 7 with its time in milliseconds', () => {
    // The example of RFC 9562, appendix A.6: 2022-02-22 19:22:22 UTC.
    expect(timeOrderedId(0x017f22e279b0)).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('follows those of earlier milliseconds', () => {
    const times = [1, 0xff_ff, 0x1_00_00, 0xff_ff_ff_ff, Date.now(), 0xff_ff_ff_ff_ff_ff];
    const ids = times.map((time) => timeOrderedId(time));
    expect(ids.toSorted()).toEqual(ids);
  });

  test('differs from others of its millisecond', () => {
    expect(new Set(Array.from({ length: 100 }, () => timeOrderedId(0))).size).toBe(100);
  });
});
