import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the address that limits apply to. From the right, as many entries of X-Forwarded-For are trusted as there are
 * own proxies. Entries further left come from the client and are ignored; without proxies, all are.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  let address = socketAddress ?? '';
  if (trustedProxies > 0 && forwardedFor !== undefined) {
    const entries = forwardedFor.split(',').map(withoutPort);
    const forwarded = entries[Math.max(0, entries.length - trustedProxies)];
    if (forwarded !== undefined && (isIPv4(forwarded) || isIPv6(forwarded))) address = forwarded;
  }
  return networkOf(address);
}

/**
 * Some proxies include the port: `203.0.113.9:51234`, `[2001:db8::9]:51234` (the same forms as in RFC 7239, section 6).
 */
function withoutPort(entry: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(entry.trim()) ?? [];
  return ipv6 ?? ipv4 ?? entry.trim();
}

/**
 * Returns an IPv4 address unchanged, and an IPv6 address as its /64 prefix, the smallest assignment to a subscriber
 * (RFC 6177).
 */
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
