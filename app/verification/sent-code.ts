import type { AuthError } from '@supabase/supabase-js';
import { explainAuthError } from '#app/form/explain-auth-error.ts';
import { ONE_TIME_CODE_TRIES } from '#domain/account/validate-credentials.ts';
import type { Language } from '#domain/language.ts';
import { durationIn } from '#domain/texts/duration.ts';

/** What this browser knows of a code that was sent. */
export interface SentCode {
  /** In milliseconds since the epoch; null where it was requested elsewhere. */
  readonly sentAt: number | null;
  /** How many codes were refused since. After `ONE_TIME_CODE_TRIES` the code is invalid. */
  readonly wrongCodes: number;
}

/**
 * Returns whether a code can still be entered, as far as this browser knows. The service refuses every code alike
 * (decision 48), so time and attempts are counted here. `lifeSeconds` is how long a code is valid.
 */
export function stateOfCode(
  { sentAt, wrongCodes }: SentCode,
  lifeSeconds: number,
  now = Date.now(),
): 'open' | 'expired' | 'usedUp' {
  if (sentAt !== null && now >= sentAt + lifeSeconds * 1000) return 'expired';
  return wrongCodes >= ONE_TIME_CODE_TRIES ? 'usedUp' : 'open';
}

/**
 * Returns when a code was sent, in milliseconds since the epoch, where another can be requested in `secondsLeft` of the
 * gap between two.
 */
export function sentAtOf(secondsLeft: number, gapSeconds: number): number {
  return Date.now() - (gapSeconds - secondsLeft) * 1000;
}

/**
 * Returns the newest code where another can be requested in `secondsLeft` of the gap: the known one, or one that was
 * requested elsewhere since and has all its attempts. Two codes are a gap apart, and seconds are rounded.
 */
export function codeInGap(
  known: SentCode,
  secondsLeft: number,
  gapSeconds: number,
): SentCode & { readonly sentAt: number } {
  const sentAt = sentAtOf(secondsLeft, gapSeconds);
  const isKnown = known.sentAt !== null && Math.abs(sentAt - known.sentAt) < (gapSeconds * 1000) / 2;
  return isKnown ? { sentAt: known.sentAt, wrongCodes: known.wrongCodes } : { sentAt, wrongCodes: 0 };
}

/** Whether the service compared the code and refused it: a wrong, used, or expired one. */
export function isWrongCode({ code }: Pick<AuthError, 'code'>): boolean {
  return code === 'otp_expired' || code === 'reauthentication_not_valid';
}

/** Why a code was refused. */
export interface CodeRefusal {
  readonly text: string;
  /** What else to try, below the text; null where the text says it. */
  readonly advice: string | null;
}

/** Explains why a code was refused: wrong, not checked, expired, or used up, this attempt included. */
export function explainCodeError(
  error: AuthError,
  sent: SentCode,
  lifeSeconds: number,
  { tag, texts: { authErrors: texts } }: Pick<Language, 'tag' | 'texts'>,
): CodeRefusal {
  if (!isWrongCode(error)) return { text: explainAuthError(error, 'codeNotChecked', texts), advice: null };
  switch (stateOfCode(sent, lifeSeconds)) {
    case 'open':
      return { text: texts.invalidCode, advice: texts.invalidCodeAdvice(durationIn(tag, lifeSeconds)) };
    case 'expired':
      return { text: texts.codeExpired(durationIn(tag, lifeSeconds)), advice: null };
    case 'usedUp':
      return { text: texts.codeSpent, advice: null };
  }
}
