import type { Context } from 'hono';
import type { Config } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { RequestCheck } from '#server/http/request-checks.ts';

type StickerOrigins = Pick<Config, 'publicUrl' | 'stickerUrl' | 'formerUrls'>;

/** Returns the hosts that stickers of this service carry, the one of `PUBLIC_URL` first. */
export function stickerHosts({ publicUrl, stickerUrl, formerUrls }: StickerOrigins): string[] {
  return [publicUrl, stickerUrl, ...formerUrls].map((url) => new URL(url).host);
}

/**
 * Redirects visits to the hosts of older or shorter stickers to the same path of `PUBLIC_URL`, where cookies and
 * sessions are. Not permanently: browsers would keep the redirect after `PUBLIC_URL` has changed again.
 *
 * Returns null where no other host is configured, so that a request then costs nothing.
 */
export function redirectOtherHosts(config: StickerOrigins): RequestCheck | null {
  const { publicUrl } = config;
  const [ownHost, ...hosts] = stickerHosts(config);
  const others = new Set(hosts.filter((host) => host !== ownHost));
  if (others.size === 0) return null;
  return (c) => {
    if (!isVisit(c) || !others.has(c.req.header('host')?.toLowerCase() ?? '')) return undefined;
    const { pathname, search } = new URL(c.req.url);
    c.header('Cache-Control', 'no-store');
    return c.redirect(publicUrl + pathname + search, 302);
  };
}

function isVisit({ req: { method } }: Context<AppEnv>): boolean {
  return method === 'GET' || method === 'HEAD';
}
