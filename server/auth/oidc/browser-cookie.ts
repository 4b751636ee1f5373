import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { PROVIDER_VISIT_SECONDS } from '#domain/retention.ts';
import type { Config } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';

/**
 * Returns the random value that ties flows to this browser, and sets it as a cookie.
 *
 * It prevents login CSRF: without it, an attacker could begin a flow and have a victim finish it, which would sign the
 * victim in to the attacker's account or link the victim's identity to it.
 */
export function tieToBrowser(c: Context<AppEnv>, config: Pick<Config, 'publicUrl'>): string {
  // Shared by all tabs, and kept while any flow is under way.
  const browser = readBrowser(c, config) ?? randomBytes(32).toString('base64url');
  setCookie(c, nameOf(config), browser, {
    httpOnly: true,
    // The provider redirects back with a cross-site navigation, which `Strict` would exclude.
    sameSite: 'Lax',
    secure: isSecure(config),
    path: '/',
    maxAge: PROVIDER_VISIT_SECONDS,
  });
  return browser;
}

export function readBrowser(c: Context<AppEnv>, config: Pick<Config, 'publicUrl'>): string | undefined {
  const value = getCookie(c, nameOf(config));
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

/** The `__Host-` prefix keeps sibling subdomains from setting the cookie (RFC 6265bis, section 4.1.3.2). */
function nameOf(config: Pick<Config, 'publicUrl'>): string {
  return isSecure(config) ? '__Host-sign_in_visit' : 'sign_in_visit';
}

function isSecure({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  return publicUrl.startsWith('https:');
}
