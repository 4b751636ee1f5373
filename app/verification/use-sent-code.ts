import type { AuthError } from '@supabase/supabase-js';
import { useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { secondsOfGap } from '#app/form/explain-auth-error.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { type CodeRefusal, codeInGap, explainCodeError, isWrongCode, type SentCode } from './sent-code.ts';
import { useCountdown } from './use-countdown.ts';

/**
 * Follows a code that was sent to the user of this component: explains each refusal, and counts down to the next code.
 * `sentAt` is when the first one was sent, in milliseconds since the epoch, or null where that is unknown.
 */
export function useSentCode(sentAt: number | null) {
  const language = useLanguage();
  const { codeGapSeconds, codeLifeSeconds } = usePublicConfig();
  const [sent, setSent] = useState<SentCode>({ sentAt, wrongCodes: 0 });
  const secondsLeft = useCountdown(sent.sentAt === null ? 0 : sent.sentAt + codeGapSeconds * 1000);

  return {
    /** When the code was sent. As a key, it gives the next code a form of its own. */
    sentAt: sent.sentAt,
    /** The seconds until another code can be requested. */
    secondsLeft,
    /** Counts a wrong code, and says why it was refused. */
    explain: (error: AuthError): CodeRefusal => {
      const tried = isWrongCode(error) ? { ...sent, wrongCodes: sent.wrongCodes + 1 } : sent;
      setSent(tried);
      return explainCodeError(error, tried, codeLifeSeconds, language);
    },
    /**
     * Takes the service's response to a request for another code: a new code has all its attempts. Returns whether a
     * code is on its way, also one that was requested too short a time before.
     */
    requested: (error: AuthError | null): boolean => {
      const seconds = error && secondsOfGap(error);
      if (error && seconds === null) return false;
      if (seconds === null) setSent({ sentAt: Date.now(), wrongCodes: 0 });
      else setSent((known) => codeInGap(known, seconds, codeGapSeconds));
      return true;
    },
  };
}
