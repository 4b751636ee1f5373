import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { showAccountToast } from '#app/client/account-toast.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { pathAfterRegistration } from '#app/client/return-path.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { dismissToast } from '#app/ui/notice/toasts.tsx';
import { type CodeRefusal, explainCodeError, isWrongCode, stateOfCode } from '#app/verification/sent-code.ts';
import { isOneTimeCode } from '#domain/account/validate-credentials.ts';
import {
  clearPendingVerification,
  FIXED_CODE_NOTICE,
  readPendingVerification,
  updatePendingVerification,
} from './pending-verification.ts';

/** How long a success is shown before the next screen, in milliseconds (specification, section 9). */
const PAUSE_AFTER_SUCCESS = 500;

/**
 * Sends the code. On success the account is confirmed, its item created, and this browser signed in. Stays busy until
 * the next screen replaces this one.
 */
export function useVerification() {
  const language = useLanguage();
  const { authErrors, toasts, validation } = language.texts;
  const navigate = useNavigate();
  const { codeLifeSeconds } = usePublicConfig();
  const [refusal, setRefusal] = useState<CodeRefusal | null>(null);
  const [busy, setBusy] = useState(false);
  const verified = useRef(false);

  // Not when the navigation begins: the registration form would be shown until the next screen.
  useEffect(
    () => () => {
      if (verified.current) clearPendingVerification();
    },
    [],
  );

  const refuse = (text: string) => setRefusal({ text, advice: null });

  const verify = async (code: string) => {
    if (!isOneTimeCode(code)) {
      refuse(validation.invalidCode);
      return;
    }
    const pending = readPendingVerification();
    if (pending === null) {
      refuse(authErrors.missingVerification);
      showAccountToast('failure', toasts.verificationFailed);
      return;
    }
    const client = await browserClient();
    const { data, error: refused } = await client.auth.verifyOtp({ email: pending.email, token: code, type: 'signup' });
    if (refused) {
      const isWrong = isWrongCode(refused);
      const tried = { ...pending, wrongCodes: pending.wrongCodes + (isWrong ? 1 : 0) };
      if (!updatePendingVerification(pending, { wrongCodes: tried.wrongCodes })) return;
      setRefusal(explainCodeError(refused, tried, codeLifeSeconds, language));
      // Only a code that still counts can be tried again.
      const isOpen = stateOfCode(tried, codeLifeSeconds) === 'open';
      const ofWrong = isOpen ? toasts.invalidCode : toasts.verificationFailed;
      showAccountToast('failure', isWrong ? ofWrong : toasts.verifyCodeFailed);
      return;
    }
    verified.current = true;
    dismissToast(FIXED_CODE_NOTICE);
    showAccountToast('success', toasts.verified);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_SUCCESS));
    // Where the code was entered in another browser than the registering one, the password is discarded, and the profile
    // requires a new one (decision 58).
    const needsPassword = data.user?.app_metadata.password_needed === true;
    const onward = needsPassword ? '/profile/security' : pathAfterRegistration(pending.qrId ?? null);
    await navigate(onward, { replace: true });
  };

  const submit = async (code: string) => {
    setBusy(true);
    setRefusal(null);
    await verify(code).catch(() => refuse(authErrors.unreachable));
    setBusy(verified.current);
  };

  return { submit, refusal, busy };
}
