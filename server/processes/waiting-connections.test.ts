import { expect, test } from 'vitest';
import { WaitingConnections } from './waiting-connections.ts';

/** Makes connections of addresses, and keeps the names of those that were closed. */
function setUp(most: number) {
  const waiting = new WaitingConnections<ReturnType<typeof from>>(most);
  const closed: string[] = [];
  const from = (remoteAddress: string, name: string) => ({
    remoteAddress,
    name,
    destroy() {
      closed.push(name);
      // Of a socket, this returns the socket.
      return this as never;
    },
  });
  const add = (address: string, ...names: string[]) => {
    for (const name of names) waiting.add(from(address, name));
  };
  const rest = () => {
    const names: string[] = [];
    for (let next = waiting.next(); next !== undefined; next = waiting.next()) names.push(next.name);
    return names;
  };
  return { waiting, closed, add, rest };
}

test('addresses take turns, each with its own in the order of their arrival', () => {
  const { add, rest } = setUp(10);
  add('192.0.2.1', 'a1', 'a2', 'a3');
  add('192.0.2.2', 'b1', 'b2');
  expect(rest()).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

test('one address may have every place, until another one needs it', () => {
  const { add, closed, rest } = setUp(4);
  add('192.0.2.1', 'a1', 'a2', 'a3', 'a4', 'a5');
  expect(closed).toEqual(['a5']);
  add('192.0.2.2', 'b1');
  expect(closed).toEqual(['a5', 'a4']);
  add('192.0.2.2', 'b2', 'b3');
  // Then each has its half, and no more.
  expect(closed).toEqual(['a5', 'a4', 'a3', 'b3']);
  add('192.0.2.1', 'a6');
  expect(closed.slice(4)).toEqual(['a6']);
  expect(rest()).toEqual(['a1', 'b1', 'a2', 'b2']);
});

test('a network of IPv6 is one address', () => {
  const { add, closed, rest } = setUp(3);
  add('2001:db8:1:2::1', 'a1', 'a2');
  add('2001:db8:1:2:ffff::2', 'a3', 'a4');
  add('2001:db8:1:3::1', 'b1');
  expect(closed).toEqual(['a4', 'a3']);
  expect(rest()).toEqual(['a1', 'b1', 'a2']);
});

test('one that comes back is the first of its address, and keeps its place', () => {
  const { waiting, add, closed, rest } = setUp(2);
  add('192.0.2.1', 'a1', 'a2');
  const first = waiting.next();
  add('192.0.2.1', 'a3');
  if (first !== undefined) waiting.putBack(first);
  expect(rest()).toEqual(['a1', 'a2', 'a3']);
  expect(closed).toEqual([]);
});
