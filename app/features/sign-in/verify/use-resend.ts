import { useEffect, useState } from 'react';
import { showAccountToast } from '#app/client/account-toast.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { fetchDevelopmentCode } from '#app/verification/development-code.ts';
import { type PendingVerification, updatePendingVerification } from './pending-verification.ts';

/** How long a new code is shown on a development server, in milliseconds (specification, section 9). */
const CODE_SHOWN = 10_000;

/** Sends another code, which replaces the previous one on this screen, after the service's gap between two codes. */
export function useResend(pending: PendingVerification) {
  const { toasts, verification } = useTexts();
  const { development, codeGapSeconds } = usePublicConfig();
  const secondsLeft = useCountdown(pending.sentAt + codeGapSeconds * 1000);
  const [busy, setBusy] = useState(false);

  const resend = async () => {
    const client = await browserClient();
    const { error } = await client.auth.resend({ type: 'signup', email: pending.email });
    if (error?.code === 'sms_held_back') {
      showAccountToast('failure', verification.textsHeldBack);
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
    await resend()
      .catch(() => showAccountToast('failure', toasts.resendFailed))
      .finally(() => setBusy(false));
  };

  return { submit, busy, secondsLeft };
}

/** Returns the whole seconds until a time (milliseconds since the epoch), counting down to 0. */
function useCountdown(until: number): number {
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  const running = left > 0;

  useEffect(() => {
    setNow(Date.now());
    if (!running || until < Date.now()) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [until, running]);

  return left;
}
