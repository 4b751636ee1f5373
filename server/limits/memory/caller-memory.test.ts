import { expect, test } from 'vitest';
import { callerMemoryFor, shareCallerMemory } from './caller-memory.ts';

const MIB = 1024 * 1024;

test.each([
  ['a machine of 512 MiB', { memory: 512 * MIB, heap: 259 * MIB }, 64],
  ['one of 256 MiB', { memory: 256 * MIB, heap: 259 * MIB }, 64],
  ['one of 4 GiB', { memory: 4_096 * MIB, heap: 2_096 * MIB }, 512],
  ['one of 64 GiB', { memory: 65_536 * MIB, heap: 4_288 * MIB }, 768],
  ['one of 64 GiB with a small heap', { memory: 65_536 * MIB, heap: 512 * MIB }, 128],
])('the memory of callers fits the heap and the memory of %s', (_, machine, mebibytes) => {
  expect(callerMemoryFor(machine) / MIB).toBe(mebibytes);
});

test('all parts together are what callers may hold, and one address holds no more than a part of it', () => {
  const { bodies, incoming, buffered, channels, connections, sockets } = shareCallerMemory(96 * MIB);
  const parts = [bodies, incoming, buffered, channels];
  expect(parts.reduce((sum, { inAll }) => sum + inAll, 0)).toBe(96 * MIB);
  for (const { perAddress, inAll } of parts) expect(perAddress).toBeLessThan(inAll / 2);
  expect({ connections, sockets }).toEqual({ connections: 3_125, sockets: 2_500 });
});

test('with unlimited memory an address still holds no more than the documented limit', () => {
  expect(shareCallerMemory(100_000 * MIB)).toEqual(shareCallerMemory(768 * MIB));
});
