import { expect, test } from 'vitest';
import { ArrivingBodies } from './arriving-bodies.ts';

/** Room for 100 bytes an address and 200 in all; bodies younger than 10 ms stay, and two make room for one. */
function setUp() {
  let time = 0;
  const dropped: string[] = [];
  const bodies = new ArrivingBodies({
    perAddress: 100,
    inAll: 200,
    graceMs: 10,
    mostDropped: 2,
    now: () => time,
  });
  const begin = (name: string, address: string, bytes: number, { arrived = 0, isComplete = false } = {}) =>
    bodies.begin({
      address,
      bytes,
      isComplete: () => isComplete,
      arrived: () => arrived,
      drop: () => dropped.push(name),
    });
  const pass = (ms: number) => {
    time += ms;
  };
  return { begin, pass, dropped };
}

test('an address beyond its bound loses its own slowest body, never another address’s', () => {
  const { begin, pass, dropped } = setUp();
  begin('of another address', 'b', 100);
  begin('slow', 'a', 50, { arrived: 1 });
  begin('fast', 'a', 50, { arrived: 40 });
  expect(begin('early', 'a', 50)).toBeNull();
  pass(10);
  expect(begin('late', 'a', 50)).not.toBeNull();
  expect(dropped).toEqual(['slow']);
});

test('when all addresses are at their bound, the slowest body makes room for an address that holds none [K20]', () => {
  const { begin, pass, dropped } = setUp();
  begin('fast', 'fast', 100, { arrived: 90 });
  // Each as much as an equal share, until there is no room for one more.
  let crowd = 1;
  while (begin(`${crowd}`, `${crowd}`, 200 / (crowd + 1)) !== null) crowd += 1;
  expect(begin('early', 'owner', 20)).toBeNull();
  pass(10);
  expect(begin('late', 'owner', 20)).not.toBeNull();
  expect(dropped).toEqual(['1']);
});

test('an address with more than its share drops no other address’s body [K20]', () => {
  const { begin, pass, dropped } = setUp();
  for (const address of ['a', 'b']) begin(address, address, 100);
  pass(10);
  expect(begin('more than a share', 'c', 90)).toBeNull();
  expect(dropped).toEqual([]);
});

test('a complete body is not dropped, and returns its place once', () => {
  const { begin, pass, dropped } = setUp();
  const giveBack = begin('done', 'a', 100, { isComplete: true });
  pass(10);
  expect(begin('another', 'a', 1)).toBeNull();
  expect(dropped).toEqual([]);
  giveBack?.();
  giveBack?.();
  expect(begin('another', 'a', 100)).not.toBeNull();
  expect(begin('one too many', 'a', 1)).toBeNull();
});
