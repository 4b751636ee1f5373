import * as v from 'valibot';
import { AuthError } from './auth-error.ts';

/** Text that may be left out: absent, null and empty are the same, as the reference server has it. */
export const text = v.nullish(v.string(), '');

/** A JSON object of whatever the client likes. */
export const data = v.nullish(
  v.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'an object',
  ),
);

export const flag = (fallback: boolean) => v.nullish(v.boolean(), fallback);

/** A proof key (RFC 7636) that every request for a code may carry. */
export const challenge = { code_challenge: text, code_challenge_method: text };

/**
 * Throws where a proof key is incomplete or malformed. It is used where a link leads back to the app; a code of 6
 * digits is typed into the app that asked for it and needs none.
 */
export function requireWellFormedChallenge(body: {
  readonly code_challenge: string;
  readonly code_challenge_method: string;
}): void {
  const { code_challenge: value, code_challenge_method: method } = body;
  if (value === '' && method === '') return;
  if (value === '' || method === '') throw new AuthError('challengeIncomplete');
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(value) || !/^(s256|plain)$/i.test(method)) {
    throw new AuthError('challengeMalformed');
  }
}

/** Throws for a channel that is none, or that has no phone to go with. */
export function requireChannel(channel: string, phone: string): void {
  if (channel !== '' && channel !== 'sms' && channel !== 'whatsapp') throw new AuthError('channelUnknown');
  if (channel !== '' && phone === '') throw new AuthError('channelNeedsPhone');
}
