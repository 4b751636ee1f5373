import { createHmac } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '#server/http/app-env.ts';
import type { LimitName } from '#server/http/limits.ts';
import type { Counter } from '#server/http/rate-limits.ts';
import type { AuthService } from './auth-service.ts';
import { type Guess, isDeviceOfGuess } from './code-queries.ts';
import { deviceHashOf } from './known-device.ts';
import type { Guesser } from './one-time-code.ts';

type Keys = Pick<AuthService, 'config' | 'guessSecret'>;

/**
 * Marks the browser that asked for a code, whether one was sent or not: its guesses are counted apart from those of
 * strangers. The cookie says for how long, and holds a keyed hash of what was typed; the newest question counts.
 */
export function markAsker(
  { config, guessSecret, now }: Keys & Pick<AuthService, 'now'>,
  c: Context<AppEnv>,
  account: string,
): void {
  const until = Math.floor(now() / 1000) + config.codeLifeSeconds;
  setCookie(c, cookieName(config), `${until}.${sign(guessSecret, account, until)}`, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: config.publicUrl.startsWith('https:'),
    path: '/auth/v1',
    maxAge: config.codeLifeSeconds,
  });
}

/** Who guesses, and which count the guess is taken from. It is kept by what was typed, which tells of no account. */
export async function guesserOf(
  service: AuthService,
  c: Context<AppEnv>,
  guess: Guess,
): Promise<{ readonly guesser: Guesser; readonly counter: Counter<LimitName> }> {
  const device = deviceHashOf(service, c);
  if (device !== null && (await isDeviceOfGuess(service.alone, guess, device))) {
    const key = `${guess.address} ${device.toString('hex')}`;
    return { guesser: 'known-device', counter: ['code_failures_per_known_device', key] };
  }
  return hasAsked(service, c, guess.address)
    ? { guesser: 'asker', counter: ['code_failures_of_askers', guess.address] }
    : { guesser: 'stranger', counter: ['code_failures_of_strangers', guess.address] };
}

function hasAsked({ config, guessSecret, now }: AuthService, c: Context<AppEnv>, account: string): boolean {
  const [until = '', signature = ''] = (getCookie(c, cookieName(config)) ?? '').split('.');
  const seconds = Number(until);
  return /^\d{1,12}$/.test(until) && seconds * 1000 > now() && sign(guessSecret, account, seconds) === signature;
}

function sign(key: AuthService['guessSecret'], account: string, until: number): string {
  return createHmac('sha256', key).update(`asked ${until} ${account}`).digest('base64url');
}

function cookieName({ storagePrefix }: AuthService['config']): string {
  return `${storagePrefix}_asked`;
}
