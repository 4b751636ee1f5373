import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not the internet (IANA IPv4 Special-Purpose Address Registry), with multicast. */
const NOT_PUBLIC_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carrier-grade NAT. The metadata service of Alibaba Cloud is in it.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local. The metadata services of most clouds are in it.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Public by its number, but within Azure it is the platform's own service.
  ['168.63.129.16', 32],
];

/** Networks within 2000::/3 that are not the internet: Teredo and others for protocols, documentation, and 6to4. */
const NOT_PUBLIC_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** On a network without IPv4, NAT64 (RFC 6052) leads from such an address to the IPv4 address in its last 32 bits. */
const NAT64 = '64:ff9b::';

const refusedIpv4 = new BlockList();
const refusedIpv6 = new BlockList();
const globalIpv6 = new BlockList();
const nat64 = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_IPV4) {
  refusedIpv4.addSubnet(network, prefix, 'ipv4');
  refusedIpv6.addSubnet(`${NAT64}${network}`, 96 + prefix, 'ipv6');
}
for (const [network, prefix] of NOT_PUBLIC_IPV6) refusedIpv6.addSubnet(network, prefix, 'ipv6');
globalIpv6.addSubnet('2000::', 3, 'ipv6');
nat64.addSubnet(NAT64, 96, 'ipv6');

/**
 * Whether an IP address belongs to the public internet. False for loopback, link-local, private, and unique-local
 * addresses, carrier-grade NAT, multicast, metadata services, IPv4 addresses in IPv6 form, and text that is no address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refusedIpv4.check(address, 'ipv4');
    case 6:
      // An address with a zone is link-local.
      if (address.includes('%')) return false;
      return (globalIpv6.check(address, 'ipv6') || nat64.check(address, 'ipv6')) && !refusedIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}
