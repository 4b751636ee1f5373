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
 * Throws where a proof key is incomplete or malformed. Only S256 is one: `plain` shows the verifier to whoever sees the
 * request (RFC 9700, section 2.1.1). A code of 6 digits is typed into the app that asked for it and needs no key.
 */
export function requireWellFormedChallenge(body: {
  readonly code_challenge: string;
  readonly code_challenge_method: string;
}): void {
  const { code_challenge: value, code_challenge_method: method } = body;
  if (value === '' && method === '') return;
  if (value === '' || method === '') throw new AuthError('challengeIncomplete');
  if (!/^[A-Za-z0-9_-]{43}$/.test(value) || method.toLowerCase() !== 's256') {
    throw new AuthError('challengeMalformed');
  }
}

/** Throws for a channel that is none, or that has no phone to go with. */
export function requireChannel(channel: string, phone: string): void {
  if (channel !== '' && channel !== 'sms' && channel !== 'whatsapp') throw new AuthError('channelUnknown');
  if (channel !== '' && phone === '') throw new AuthError('channelNeedsPhone');
}
