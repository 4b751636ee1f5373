import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { DEVICE_DAYS } from '#domain/retention.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { AuthService } from '../auth-service.ts';

const LIFE_SECONDS = DEVICE_DAYS * 86_400;

/** Returns the stored hash of a device's cookie, or null where the request has none. */
export function deviceHashOf({ config }: Pick<AuthService, 'config'>, c: Context<AppEnv>): Buffer | null {
  const token = getCookie(c, deviceCookie(config));
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? hashDevice(token) : null;
}

/**
 * Sets the device cookie, or extends its life, and returns the hash to store. The cookie is a random value, shared by all
 * accounts of a browser.
 */
export function markDevice({ config }: Pick<AuthService, 'config'>, c: Context<AppEnv>): Buffer {
  let token = getCookie(c, deviceCookie(config));
  if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) token = randomBytes(32).toString('base64url');
  setCookie(c, deviceCookie(config), token, { ...attributesOf(config), maxAge: LIFE_SECONDS });
  return hashDevice(token);
}

/**
 * Whether the account knows the device. An account knows the devices it has signed in on, with its second factor where
 * it has one.
 */
async function isKnownDevice(from: Transaction, userId: string, deviceHash: Buffer | null): Promise<boolean> {
  if (deviceHash === null) return false;
  const { rows } = await from.query<{ readonly known: boolean }>({
    name: 'auth_is_known_device',
    text: 'select internal.is_known_device($1, $2) as known',
    values: [userId, deviceHash],
  });
  return rows[0]?.known ?? false;
}

/** Returns the device hash where the account knows the device, else null. */
export async function knownDeviceOf(
  { alone }: { readonly alone: Transaction },
  userId: string,
  deviceHash: Buffer | null,
): Promise<Buffer | null> {
  return (await isKnownDevice(alone, userId, deviceHash)) ? deviceHash : null;
}

/** Returns the device on which a session began, in hexadecimal, or null if the account does not know that device. */
export async function knownDeviceOfSession(
  { alone }: { readonly alone: Transaction },
  sessionId: string,
): Promise<string | null> {
  const { rows } = await alone.query<{ readonly device: string | null }>({
    name: 'auth_known_device_of_session',
    text: 'select internal.known_device_of_session($1) as device',
    values: [sessionId],
  });
  return rows[0]?.device ?? null;
}

/**
 * Marks the browser that requested a code, whether or not one was sent, so that its guesses are counted apart from
 * other clients'.
 *
 * The cookie holds its expiry and a keyed hash of what was typed. A later request replaces it.
 */
export function markRequester(
  { config, guessSecret, now }: Pick<AuthService, 'config' | 'guessSecret' | 'now'>,
  c: Context<AppEnv>,
  account: string,
): void {
  const until = Math.floor(now() / 1000) + config.codeLifeSeconds;
  setCookie(c, requesterCookie(config), `${until}.${sign(guessSecret, account, until)}`, {
    ...attributesOf(config),
    maxAge: config.codeLifeSeconds,
  });
}

/** Whether the browser requested a code for what was typed, and that code may still be valid. */
export function isRequester(
  { config, guessSecret, now }: Pick<AuthService, 'config' | 'guessSecret' | 'now'>,
  c: Context<AppEnv>,
  account: string,
): boolean {
  const [until = '', signature = ''] = (getCookie(c, requesterCookie(config)) ?? '').split('.');
  const seconds = Number(until);
  return /^\d{1,12}$/.test(until) && seconds * 1000 > now() && isSame(sign(guessSecret, account, seconds), signature);
}

function isSame(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function sign(key: AuthService['guessSecret'], account: string, until: number): string {
  return createHmac('sha256', key).update(`asked ${until} ${account}`).digest('base64url');
}

function deviceCookie(config: AuthService['config']): string {
  return `${prefixOf(config)}_device`;
}

function requesterCookie(config: AuthService['config']): string {
  return `${prefixOf(config)}_asked`;
}

/**
 * With the `__Host-` prefix no sibling subdomain can set the cookie (RFC 6265bis, section 4.1.3.2). A stranger who could
 * would choose the device that an account knows. Without https browsers refuse such names.
 */
function prefixOf({ storagePrefix, publicUrl }: AuthService['config']): string {
  return isHttps(publicUrl) ? `__Host-${storagePrefix}` : storagePrefix;
}

function attributesOf({ publicUrl }: AuthService['config']) {
  const secure = isHttps(publicUrl);
  // The prefix requires the path of the whole site.
  return { httpOnly: true, sameSite: 'Lax', secure, path: secure ? '/' : '/auth/v1' } as const;
}

function isHttps(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

/** The value has 256 random bits, so the hash needs no key and no salt. */
function hashDevice(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
