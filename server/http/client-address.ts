import { isIPv4, isIPv6 } from 'node:net';

/**
 * The address that limits count by. Only as many entries of X-Forwarded-For as we have proxies of our own are
 * believed, from the right; whatever a client wrote to the left of them is ignored, and without proxies all of it.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  let address = socketAddress ?? '';
  if (trustedProxies > 0 && forwardedFor !== undefined) {
    const entries = forwardedFor.split(',').map(withoutPort);
    const told = entries[Math.max(0, entries.length - trustedProxies)];
    if (told !== undefined && (isIPv4(told) || isIPv6(told))) address = told;
  }
  return networkOf(address);
}

/** Some proxies write the port too: `203.0.113.9:51234`, `[2001:db8::9]:51234` (RFC 7239, section 6, has the same forms). */
function withoutPort(entry: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry.trim()) ?? [];
  return ipv6 ?? ipv4 ?? entry.trim();
}

/** An IPv4 address as it is; an IPv6 address as its /64, the least that one subscriber is given (RFC 6177). */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::', 2) ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
