import { promises } from 'node:dns';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** How long a name server has to reply, in milliseconds. */
const TIMEOUT_MS = 2_000;

/**
 * Asks the name servers of this machine for the addresses of a name. Unlike `dns.lookup`, this uses no thread of the pool,
 * which the rest of the server needs, and ends with the signal: a client may choose a name whose server never replies.
 *
 * @param nameServers for tests, in place of the machine's.
 * @throws an error with the code of `node:dns` where no address was found.
 */
export async function resolveName(
  hostname: string,
  signal: AbortSignal,
  nameServers?: readonly string[],
): Promise<readonly ResolvedAddress[]> {
  signal.throwIfAborted();
  const resolver = new promises.Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
    return [
      ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 }) as const) : []),
      ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 }) as const) : []),
    ];
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
