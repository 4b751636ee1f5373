import { useState } from 'react';
import { showAccountToast } from '#app/client/account-toast.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { secondsOfGap } from '#app/form/explain-auth-error.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { fetchDevelopmentCode } from '#app/verification/development-code.ts';
import { codeInGap } from '#app/verification/sent-code.ts';
import { useCountdown } from '#app/verification/use-countdown.ts';
import { type PendingVerification, updatePendingVerification } from './pending-verification.ts';

/** How long a new code is shown on a development server, in milliseconds (specification, section 9). */
const CODE_SHOWN = 10_000;

/**
 * Sends another code, which replaces the previous one on this screen, after the service's gap between two codes. `problem`
 * says why none can be sent, and what to do.
 */
export function useResend(pending: PendingVerification) {
  const { toasts, verification } = useSignInTexts();
  const { development, codeGapSeconds } = usePublicConfig();
  const secondsLeft = useCountdown(pending.sentAt + codeGapSeconds * 1000);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const resend = async () => {
    const client = await browserClient();
    const { error } = await client.auth.resend({ type: 'signup', email: pending.email });
    if (error?.code === 'sms_held_back') {
      setProblem(verification.textsHeldBack);
      return;
    }
    const seconds = error && secondsOfGap(error);
    if (seconds !== null) {
      updatePendingVerification(pending, { ...codeInGap(pending, seconds, codeGapSeconds), wasSentBefore: true });
      return;
    }
    if (error) throw error;
    const sent = { sentAt: Date.now(), wrongCodes: 0, wasSentBefore: false };
    if (!updatePendingVerification(pending, sent)) return;
    const code = development ? (await fetchDevelopmentCode(pending.email))?.code : null;
    if (code) showAccountToast('success', verification.newCode(code), { milliseconds: CODE_SHOWN });
    else showAccountToast('success', verification.codeSentAgain);
  };

  const submit = async () => {
    setBusy(true);
    setProblem(null);
    await resend()
      .catch(() => showAccountToast('failure', toasts.resendFailed))
      .finally(() => setBusy(false));
  };

  return { submit, busy, secondsLeft, problem };
}
