import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

test('without a trusted proxy the header is ignored', () => {
  expect(clientAddress('203.0.113.9', '198.51.100.1', 0)).toBe('203.0.113.9');
});

test('one proxy of ours: the entry that it added counts, not what the client wrote', () => {
  expect(clientAddress('10.0.0.1', '1.2.3.4, 198.51.100.7', 1)).toBe('198.51.100.7');
});

test('more proxies than entries: the leftmost entry is the farthest that one of ours can have added', () => {
  expect(clientAddress('10.0.0.1', '198.51.100.7', 3)).toBe('198.51.100.7');
});

test('a port that a proxy writes with the address is no part of it', () => {
  expect(clientAddress('10.0.0.1', '198.51.100.7:51234', 1)).toBe('198.51.100.7');
  expect(clientAddress('10.0.0.1', '[2001:db8:1:2::9]:51234', 1)).toBe('2001:db8:1:2::/64');
  expect(clientAddress('10.0.0.1', '[2001:db8:1:2::9]', 1)).toBe('2001:db8:1:2::/64');
  // The last group is not a port.
  expect(clientAddress('10.0.0.1', '2001:db8:1:2:3:4:5:6', 1)).toBe('2001:db8:1:2::/64');
});

test('an entry that is no address is ignored', () => {
  expect(clientAddress('10.0.0.1', 'unknown', 1)).toBe('10.0.0.1');
});

test('addresses of one IPv6 /64 are one client, mapped IPv4 is IPv4', () => {
  expect(clientAddress('2001:db8:1:2:3:4:5:6', undefined, 0)).toBe('2001:db8:1:2::/64');
  expect(clientAddress('2001:db8:1:2::9', undefined, 0)).toBe('2001:db8:1:2::/64');
  expect(clientAddress('2001:0db8:0001:0002::1', undefined, 0)).toBe('2001:db8:1:2::/64');
  expect(clientAddress('::1', undefined, 0)).toBe('0:0:0:0::/64');
  expect(clientAddress('::ffff:192.0.2.1', undefined, 0)).toBe('192.0.2.1');
});
