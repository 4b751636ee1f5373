import { isIP } from 'node:net';

/**
 * Whether a request may see the development outbox: it is addressed to this server's own name, `localhost` or an IP
 * address, and does not come from another site's page. The first condition prevents DNS rebinding, the second
 * cross-site requests.
 */
export function isLocalVisit(headers: Headers, publicUrl: string): boolean {
  const host = headers.get('host') ?? '';
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  const isOurs =
    host === new URL(publicUrl).host || name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  // Current browsers always send it, and pages cannot change it. Other clients send none.
  const site = headers.get('sec-fetch-site');
  return isOurs && (site === null || site === 'same-origin' || site === 'none');
}
