import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { LogoFile } from '#server/settings/brand.ts';

/** Serves the operator's logo. Opened by itself, an SVG runs no script. */
export function serveLogo({ bytes, type, version }: LogoFile) {
  return (c: Context<AppEnv>): Response =>
    c.body(bytes, 200, {
      'Content-Type': type,
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      // Documents name the version; another one shows the same image, and is not kept.
      'Cache-Control': c.req.url.endsWith(`?${version}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
}
