import { expect, test } from 'vitest';
import { isPublicAddress } from './is-public-address.ts';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  // NAT64 of a public address.
  '64:ff9b::8.8.8.8',
])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

test.each([
  ['this network', '0.0.0.0', '0.1.2.3', '::'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
  ['link-local', '169.254.1.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  ['metadata', '169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ['unique-local', 'fc00::1', 'fdff::1'],
  ['multicast and broadcast', '224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
  [
    'reserved',
    '240.0.0.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '192.0.2.7',
    '2001:db8::1',
    '3fff::1',
    '4000::1',
  ],
  ['IPv4 in IPv6 form', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  ['tunnels', '2002:7f00:1::', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  [
    'NAT64 of addresses that are not public',
    '64:ff9b::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
  ],
  ['no address', '', 'localhost', '0x7f.1', '2130706433', '127.1', '[::1]', '8.8.8.8 '],
])('%s is not public [K55]', (_, ...addresses) => {
  for (const address of addresses) expect(isPublicAddress(address), address).toBe(false);
});
