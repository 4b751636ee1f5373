import type { Config } from '#server/config.ts';

/**
 * Whether a page of this origin may open a socket. Prevents cross-site WebSocket hijacking: without it, any page that a
 * signed-in visitor opens could connect as them.
 *
 * Browsers always send the origin, and a page cannot change it. Other clients may send none. In development the
 * request's own host counts as ours too.
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
