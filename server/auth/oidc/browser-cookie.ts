import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Config } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';

/** As long as a visit to a provider may take, in seconds. */
const LIFE_SECONDS = 600;

/**
 * The random value that ties visits to providers to this browser. Without it a stranger could begin a visit, and have
 * somebody else end it who then is in the stranger's account, or whose identity is then linked to it.
 */
export function tieToBrowser(c: Context<AppEnv>, config: Pick<Config, 'publicUrl'>): string {
  // One for all tabs, and for as long as one of them is under way.
  const browser = readBrowser(c, config) ?? randomBytes(32).toString('base64url');
  setCookie(c, nameOf(config), browser, {
    httpOnly: true,
    // The provider leads back by a link of its own site.
    sameSite: 'Lax',
    secure: isSecure(config),
    path: '/',
    maxAge: LIFE_SECONDS,
  });
  return browser;
}

export function readBrowser(c: Context<AppEnv>, config: Pick<Config, 'publicUrl'>): string | undefined {
  const value = getCookie(c, nameOf(config));
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
}

/** The prefix keeps neighbours under the same domain from setting it (RFC 6265bis, section 4.1.3.2). */
function nameOf(config: Pick<Config, 'publicUrl'>): string {
  return isSecure(config) ? '__Host-sign_in_visit' : 'sign_in_visit';
}

function isSecure({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  return publicUrl.startsWith('https:');
}
