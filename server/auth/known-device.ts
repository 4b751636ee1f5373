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

/** Whether the account of an address has signed in on the device before. */
export async function isKnownDevice(from: Transaction, email: string, deviceHash: Buffer): Promise<boolean> {
  const { rows } = await from.query({
    name: 'auth_is_known_device',
    text: `select from auth.known_devices as device join auth.users as account on account.id = device.user_id
             where account.email = $1 and account.deleted_at is null and device.device_hash = $2`,
    values: [email, deviceHash],
  });
  return rows.length === 1;
}

/**
 * Remembers that the account signs in on this device, by a random value in a cookie that only the auth service gets
 * and that several accounts of one browser share. Says whether the device is new to an account that has others.
 */
export async function rememberDevice(
  { config, now }: Pick<AuthService, 'config' | 'now'>,
  transaction: Transaction,
  userId: string,
  c: Context<AppEnv>,
): Promise<boolean> {
  let token = getCookie(c, cookieName(config));
  if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) token = randomBytes(32).toString('base64url');
  setCookie(c, cookieName(config), token, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: config.publicUrl.startsWith('https:'),
    path: '/auth/v1',
    maxAge: LIFE_SECONDS,
  });
  const { rows } = await transaction.query<{ is_new: boolean }>({
    name: 'auth_remember_device',
    text: `with others as (
               select exists (select from auth.known_devices where user_id = $1) as any,
                 exists (select from auth.known_devices where user_id = $1 and device_hash = $2) as this
             ), remembered as (
               insert into auth.known_devices (user_id, device_hash, created_at, seen_at) values ($1, $2, $3, $3)
                 on conflict (user_id, device_hash) do update set seen_at = excluded.seen_at
             )
             select others.any and not others.this as is_new from others`,
    values: [userId, hashDevice(token), new Date(now())],
  });
  return rows[0]?.is_new === true;
}

function cookieName({ storagePrefix }: AuthService['config']): string {
  return `${storagePrefix}_device`;
}

/** The value has 256 random bits, so its hash needs no key and no salt. */
function hashDevice(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
