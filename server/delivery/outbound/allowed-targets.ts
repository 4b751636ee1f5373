import { BlockList, isIP } from 'node:net';

const HTTPS_PORT = 443;

/** A host that clients may name, wherever it leads. */
interface AllowedHost {
  readonly protocol: 'https:' | 'http:';
  /** As in a URL: a name in lower case, an IPv4 address, or an IPv6 address in brackets. */
  readonly hostname: string;
  readonly port: number;
}

/** A network that names of clients may lead to, on one port and by https. */
interface AllowedNetwork {
  readonly addresses: BlockList;
  readonly family: 4 | 6;
  readonly port: number;
}

/** What an operator allows clients to reach beside port 443 of the public internet. */
export interface AllowedTargets {
  readonly hosts: readonly AllowedHost[];
  readonly networks: readonly AllowedNetwork[];
}

export const NO_MORE_TARGETS: AllowedTargets = { hosts: [], networks: [] };

/**
 * Parses one entry: a host such as `ntfy.lan`, `ntfy.lan:8080`, `http://ntfy.lan:8080`, or `[fd00::7]:8443`, or a network
 * such as `10.0.0.0/8`, `10.0.0.0/8:8443`, or `fd00::/8`. Returns null for one that could be read in two ways, such as an
 * address in octal or a network with bits behind its prefix.
 */
export function parseAllowedTarget(entry: string): AllowedHost | AllowedNetwork | null {
  return entry.includes('/') && !entry.startsWith('http://') ? parseNetwork(entry) : parseHost(entry);
}

/** Whether the operator named the host of a URL, with its port and protocol. */
export function namesAllowedHost({ hosts }: AllowedTargets, url: URL): boolean {
  return hosts.some(
    ({ protocol, hostname, port }) => url.protocol === protocol && url.hostname === hostname && portOf(url) === port,
  );
}

/** Whether some network may be reached on this port. */
export function hasNetworkOnPort({ networks }: AllowedTargets, port: number): boolean {
  return networks.some((network) => network.port === port);
}

/** Whether an IP address is in a network that may be reached on this port. IPv4 in IPv6 form is in none. */
export function inAllowedNetwork({ networks }: AllowedTargets, address: string, port: number): boolean {
  const family = isIP(address);
  if (address.includes('%')) return false;
  // A BlockList of IPv4 networks contains the IPv6 form of their addresses, too.
  return networks.some(
    (network) =>
      network.family === family &&
      network.port === port &&
      network.addresses.check(address, family === 4 ? 'ipv4' : 'ipv6'),
  );
}

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'http:' ? 80 : HTTPS_PORT;
}

function parseHost(entry: string): AllowedHost | null {
  const url = `${entry.startsWith('http://') ? '' : 'https://'}${entry}/`;
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, port, href } = new URL(url);
  // A URL changes what it normalizes. Whatever it changes was not written plainly.
  const written = entry.replace(/^http:\/\//, '').toLowerCase();
  const plain =
    port === '' ? [hostname, `${hostname}:${protocol === 'http:' ? 80 : HTTPS_PORT}`] : [`${hostname}:${port}`];
  if (!plain.includes(written) || href !== new URL(`${protocol}//${written}/`).href) return null;
  if (!/^(\[[0-9a-f:]+\]|[a-z0-9-]+(\.[a-z0-9-]+)*)$/.test(hostname)) return null;
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return { protocol, hostname, port: portOf(new URL(url)) };
}

function parseNetwork(entry: string): AllowedNetwork | null {
  const [, network = '', bits = '', port = String(HTTPS_PORT)] =
    /^([0-9a-f.:]+)\/(0|[1-9]\d{0,2})(?::([1-9]\d{0,4}))?$/.exec(entry.toLowerCase()) ?? [];
  const family = isIP(network);
  const prefix = Number(bits);
  if (family === 0 || prefix > (family === 4 ? 32 : 128) || Number(port) > 65_535) return null;
  const bytes = family === 4 ? ipv4Bytes(network) : ipv6Bytes(network);
  if (!isZeroAfter(bytes, prefix)) return null;
  const addresses = new BlockList();
  addresses.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return { addresses, family: family === 4 ? 4 : 6, port: Number(port) };
}

function ipv4Bytes(address: string): number[] {
  return address.split('.').map(Number);
}

function ipv6Bytes(address: string): number[] {
  // A URL has one form for each address, without IPv4 in it.
  const [head = '', tail] = new URL(`https://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function isZeroAfter(bytes: readonly number[], prefix: number): boolean {
  return bytes.every((byte, index) => {
    const kept = Math.min(Math.max(prefix - index * 8, 0), 8);
    return (byte & (0xff >> kept)) === 0;
  });
}
