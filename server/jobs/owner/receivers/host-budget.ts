import { isIP } from 'node:net';
import type { Dependencies } from '#server/dependencies.ts';

/** The push services of browsers: there are few of them, and they expect as many requests as there are browsers. */
const PUSH_SERVICES = ['googleapis.com', 'push.services.mozilla.com', 'push.apple.com', 'notify.windows.com'];

interface HostRequest {
  readonly url: string;
  readonly user_id: string;
}

/**
 * Counts a request to the host of a URL that a client gave. Returns in how many seconds it may be made, 0 for now. The host
 * never asked for it: a few accounts with its address, and finders of their own, would send it any number.
 *
 * Where strangers have used up the host's requests of the day, each owner still has one an hour.
 */
export async function waitForHost(
  limits: Pick<Dependencies['limits'], 'take'>,
  { url, user_id: owner }: HostRequest,
): Promise<number> {
  const { hostname } = new URL(url);
  if (PUSH_SERVICES.some((service) => hostname === service || hostname.endsWith(`.${service}`))) return 0;
  const host = siteOf(hostname);
  if ((await limits.take('requests_per_host', host)).allowed) return 0;
  const own = await limits.take('requests_per_host_and_owner', `${owner} ${host}`);
  return own.allowed ? 0 : own.retryAfterSeconds;
}

/** Whoever has a domain names any number of hosts below it, so the last two parts of a name count. */
function siteOf(hostname: string): string {
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return hostname;
  return hostname.split('.').slice(-2).join('.');
}
