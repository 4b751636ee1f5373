import { isIP } from 'node:net';

/**
 * Whether a request may see the development outbox: it was addressed to this server by its own name, `localhost` or
 * an IP address, and no page of another site is behind it. A foreign name that was pointed at this machine (DNS
 * rebinding) is turned away by the first, a page that fetches across sites by the second.
 */
export function isLocalVisit(headers: Headers, publicUrl: string): boolean {
  const host = headers.get('host') ?? '';
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  const isOurs =
    host === new URL(publicUrl).host || name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  // Every browser of today sends it, and no page can change it; a program that is no browser sends none.
  const site = headers.get('sec-fetch-site');
  return isOurs && (site === null || site === 'same-origin' || site === 'none');
}
