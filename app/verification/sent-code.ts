import type { AuthError } from '@supabase/supabase-js';
import { explainAuthError } from '#app/form/explain-auth-error.ts';
import { ONE_TIME_CODE_TRIES } from '#domain/account/validate-credentials.ts';
import type { Texts } from '#domain/texts/en.ts';

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

/** Whether these are the times of one code, as far as rounding to seconds tells: two codes are a gap apart. */
export function isSameCode(known: number | null, sentAt: number, gapSeconds: number): boolean {
  return known !== null && Math.abs(sentAt - known) < (gapSeconds * 1000) / 2;
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
  texts: Texts['authErrors'],
): CodeRefusal {
  if (!isWrongCode(error)) return { text: explainAuthError(error, 'codeNotChecked', texts), advice: null };
  switch (stateOfCode(sent, lifeSeconds)) {
    case 'open':
      return { text: texts.invalidCode, advice: texts.invalidCodeAdvice(lifeSeconds) };
    case 'expired':
      return { text: texts.codeExpired(lifeSeconds), advice: null };
    case 'usedUp':
      return { text: texts.codeSpent, advice: null };
  }
}
