import type { AuthError } from '@supabase/supabase-js';
import { useRef } from 'react';
import { explainCodeError } from '#app/form/explain-auth-error.ts';
import { useTexts } from '#app/i18n/use-texts.ts';

/**
 * Counts the wrong codes of this component and explains each refusal (`explainCodeError`). Call `startAgain` for a new
 * code, which has all its attempts.
 */
export function useExplainCode() {
  const { authErrors } = useTexts();
  const wrongCodes = useRef(0);
  return {
    explain: (error: AuthError): string => {
      if (error.code === 'otp_expired') wrongCodes.current += 1;
      return explainCodeError(error, wrongCodes.current, authErrors);
    },
    startAgain: () => {
      wrongCodes.current = 0;
    },
  };
}
