import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { AuthService } from './auth-service.ts';

/** The longest that browsers keep a cookie (RFC 6265bis, section 5.5). */
const LIFE_SECONDS = 400 * 86_400;

/** What the database keeps of a device's cookie, or null for a request without one. */
export function deviceHashOf({ config }: Pick<AuthService, 'config'>, c: Context<AppEnv>): Buffer | null {
  const token = getCookie(c, cookieName(config));
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? hashDevice(token) : null;
}

/**
 * Gives the device a random value in a cookie that only the auth service gets and that several accounts of one browser
 * share, or lengthens the life of the one it has. What the database is to keep of it.
 */
export function markDevice({ config }: Pick<AuthService, 'config'>, c: Context<AppEnv>): Buffer {
  let token = getCookie(c, cookieName(config));
  if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) token = randomBytes(32).toString('base64url');
  setCookie(c, cookieName(config), token, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: config.publicUrl.startsWith('https:'),
    path: '/auth/v1',
    maxAge: LIFE_SECONDS,
  });
  return hashDevice(token);
}

/** The device of a request, where the account has signed in on it before; null for any other. */
export async function knownDeviceOf(
  { alone }: { readonly alone: Transaction },
  userId: string,
  deviceHash: Buffer | null,
): Promise<Buffer | null> {
  if (deviceHash === null) return null;
  const { rowCount } = await alone.query({
    name: 'auth_known_device',
    text: 'select from auth.known_devices where user_id = $1 and device_hash = $2',
    values: [userId, deviceHash],
  });
  return rowCount === 1 ? deviceHash : null;
}

function cookieName({ storagePrefix }: AuthService['config']): string {
  return `${storagePrefix}_device`;
}

/** The value has 256 random bits, so its hash needs no key and no salt. */
function hashDevice(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
