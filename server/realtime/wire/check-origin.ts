import type { Config } from '#server/config.ts';

/**
 * Whether a page of this origin may open a socket. A browser names the page's origin and lets no page change it; a
 * program that is no browser names none. Without this check any page that a signed-in visitor opens could connect as
 * them (cross-site WebSocket hijacking). In development the name that this very request used counts as ours too.
 */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  { publicUrl, production }: Pick<Config, 'publicUrl' | 'production'>,
): boolean {
  if (origin === undefined) return true;
  if (origin === publicUrl) return true;
  return !production && host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}
