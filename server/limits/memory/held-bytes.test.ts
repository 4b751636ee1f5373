import { expect, test } from 'vitest';
import { HeldBytes } from './held-bytes.ts';

test('an address may hold its bound, and again after it has released it', () => {
  const held = new HeldBytes({ perAddress: 100, inAll: 1_000 });
  expect(held.take('a', 100)).toBe(true);
  expect(held.take('a', 1)).toBe(false);
  expect(held.take('b', 100)).toBe(true);
  held.giveBack('a', 40);
  expect(held.take('a', 41)).toBe(false);
  expect(held.take('a', 40)).toBe(true);
  expect(held.total).toBe(200);
});

test('addresses that hold everything leave a share for one that holds little', () => {
  const held = new HeldBytes({ perAddress: 100, inAll: 1_000 });
  for (let address = 0; address < 10; address += 1) expect(held.take(`crowd ${address}`, 100)).toBe(true);
  expect(held.take('crowd 0', 1)).toBe(false);
  expect(held.take('owner', 80)).toBe(true);
  expect(held.take('owner', 20)).toBe(false);
});

test('however many addresses there are, they never hold more than twice the bound', () => {
  const held = new HeldBytes({ perAddress: 100, inAll: 1_000 });
  for (let address = 0; address < 5_000; address += 1)
    while (held.take(`${address}`, 7)) expect(held.total).toBeLessThanOrEqual(2_000);
  for (let address = 0; address < 5_000; address += 1)
    while (held.take(`${address}`, 1)) expect(held.total).toBeLessThanOrEqual(2_000);
});
