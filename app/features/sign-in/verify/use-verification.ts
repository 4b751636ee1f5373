import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { showAccountToast } from '#app/lib/account/account-toast.ts';
import { explainAuthError } from '#app/lib/account/explain-auth-error.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { NEW_ITEM } from '#domain/tag-code.ts';
import { isOneTimeCode, ONE_TIME_CODE_TRIES } from '#domain/validate-credentials.ts';
import { clearPendingVerification, readPendingVerification, storePendingVerification } from './pending-verification.ts';

/** How long a success is seen before the next screen, in milliseconds (specification, section 9). */
const PAUSE_AFTER_SUCCESS = 500;

/**
 * Sends the code. On success the account is confirmed, its item made, and this browser signed in. It stays busy until the
 * next screen takes the place of this one.
 */
export function useVerification() {
  const { authErrors, toasts, validation } = useMessages();
  const navigate = useNavigate();
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const verified = useRef(false);

  // Not as soon as the way onward is taken: the form for registering would show until the next screen does.
  useEffect(
    () => () => {
      if (verified.current) clearPendingVerification();
    },
    [],
  );

  const verify = async (code: string) => {
    if (!isOneTimeCode(code)) {
      setError(validation.invalidCode);
      return;
    }
    const pending = readPendingVerification();
    if (pending === null) {
      setError(authErrors.missingVerification);
      showAccountToast('failure', toasts.verificationFailed);
      return;
    }
    const client = await browserClient();
    const { data, error: refused } = await client.auth.verifyOtp({ email: pending.email, token: code, type: 'signup' });
    if (refused) {
      const wrongCodes = pending.wrongCodes + (refused.code === 'otp_expired' ? 1 : 0);
      storePendingVerification({ ...pending, wrongCodes });
      const isSpent = wrongCodes >= ONE_TIME_CODE_TRIES;
      setError(isSpent ? authErrors.codeSpent : explainAuthError(refused, 'codeNotChecked', authErrors));
      showAccountToast('failure', refused.code === 'otp_expired' ? toasts.invalidCode : toasts.verifyCodeFailed);
      return;
    }
    verified.current = true;
    showAccountToast('success', toasts.verified);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_SUCCESS));
    // After several registrations nobody's password counts, and the profile asks for one.
    const needsPassword = data.user?.app_metadata.password_needed === true;
    const onward = needsPassword ? '/profile' : `/dashboard?qr_id=${pending.qrId ?? NEW_ITEM}`;
    await navigate(onward, { replace: true });
  };

  const submit = async (code: string) => {
    setBusy(true);
    setError(null);
    await verify(code).catch(() => setError(authErrors.unreachable));
    setBusy(verified.current);
  };

  return { submit, error, busy };
}
