import { isIP } from 'node:net';
import type { HonoRequest } from 'hono';
import * as v from 'valibot';
import { webOrigin } from '#server/settings/values.ts';

/** How many proxies the settings allow. */
const MOST_PROXIES = 10;

/**
 * Returns the address at which this request has reached the service, for a person to confirm, or an empty text. Anyone can
 * send these headers, so it is nothing but a proposal.
 */
export function proposedAddress(request: HonoRequest): string {
  const host = first(request.header('x-forwarded-host')) || request.header('host') || '';
  // Few proxies are there for something else than https.
  const behindProxy = request.header('x-forwarded-for') !== undefined && !/^(localhost|127\.)/.test(host);
  const scheme = first(request.header('x-forwarded-proto')).toLowerCase() || (behindProxy ? 'https' : 'http');
  const parsed = v.safeParse(webOrigin, `${scheme}://${host}`);
  return parsed.success ? parsed.output : '';
}

/**
 * Returns how many proxies are in front of the service at this address. The service itself speaks plain HTTP, so an https
 * address has one at least; a request that came through more shows them all.
 */
export function proxiesInFront(request: HonoRequest, publicUrl: string): number {
  const forwarded = request.header('x-forwarded-for')?.split(',').length ?? 0;
  return Math.min(MOST_PROXIES, Math.max(publicUrl.startsWith('https:') ? 1 : 0, forwarded));
}

/** Returns what the proxies in front say is the address of the browser; null where none says so. */
export function namedClient(request: HonoRequest): string | null {
  const named = first(request.header('x-forwarded-for'));
  return isIP(named) === 0 ? null : named;
}

function first(header: string | undefined): string {
  return header?.split(',', 1)[0]?.trim() ?? '';
}
