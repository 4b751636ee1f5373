/** Where libpq's form says which kind of server to choose. */
const KIND_PARAMETER = 'target_session_attrs';
/** The server writes, so any other kind would contradict it. */
const KINDS: ReadonlySet<string | null> = new Set([null, 'read-write', 'primary']);

/**
 * Splits the address of one or several PostgreSQL servers, in libpq's forms (PostgreSQL documentation, "Connection
 * URIs"), into one for each server, which is all that the driver understands. Returns null where it is malformed.
 *
 * @example
 * splitHosts('postgres://me@db1,db2:5433/reunite?target_session_attrs=read-write')
 * // ['postgres://me@db1/reunite', 'postgres://me@db2:5433/reunite']
 */
export function splitHosts(address: string): readonly string[] | null {
  const [, start, authority, rest] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(address) ?? [];
  if (start === undefined || authority === undefined || rest === undefined) return null;
  const hosts = authority.split(',');
  if (hosts.length > 1 && hosts.some((host) => /^(:|$)/.test(host))) return null;
  const urls: string[] = [];
  for (const host of hosts) {
    const url = URL.parse(`${start}${host}${rest}`);
    const split = url && splitParameters(url);
    if (split === null) return null;
    urls.push(...split);
  }
  return urls;
}

/** Whether the address of `splitHosts` asks for a server that can be written to, or for no kind in particular. */
export function asksForPrimary(address: string): boolean {
  const [, query = ''] = address.split('?', 2);
  return KINDS.has(new URLSearchParams(query).get(KIND_PARAMETER));
}

/** The parameters `host` and `port` may be lists: one port for each host, or one for all. */
function splitParameters(url: URL): string[] | null {
  const { searchParams } = url;
  if (searchParams.has(KIND_PARAMETER)) searchParams.delete(KIND_PARAMETER);
  const hosts = searchParams.get('host')?.split(',') ?? [];
  const ports = searchParams.get('port')?.split(',') ?? [];
  if (hosts.length < 2) return ports.length < 2 ? [url.href] : null;
  if (hosts.includes('') || (ports.length > 1 && ports.length !== hosts.length)) return null;
  return hosts.map((host, index) => {
    const one = new URL(url);
    one.searchParams.set('host', host);
    const port = ports[index] ?? ports[0];
    if (port !== undefined) one.searchParams.set('port', port);
    return one.href;
  });
}
