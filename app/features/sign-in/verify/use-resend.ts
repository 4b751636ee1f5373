import { useState } from 'react';
import { showAccountToast } from '#app/lib/account/account-toast.ts';
import { fetchDevelopmentCode } from '#app/lib/account/development-code.ts';
import { useCountdown } from '#app/lib/account/use-countdown.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { CODE_GAP, type PendingVerification, storePendingVerification } from './pending-verification.ts';

/** How long a new code is shown on a development server, in milliseconds (specification, section 9). */
const CODE_SHOWN = 10_000;

/** Sends another code, which replaces the one before, at most once a minute. */
export function useResend(pending: PendingVerification) {
  const { toasts, verification } = useMessages();
  const { development } = usePublicConfig();
  const secondsLeft = useCountdown(pending.sentAt + CODE_GAP);
  const [busy, setBusy] = useState(false);

  const resend = async () => {
    const client = await browserClient();
    const { error } = await client.auth.resend({ type: 'signup', email: pending.email });
    if (error) throw error;
    storePendingVerification({ ...pending, sentAt: Date.now(), wrongCodes: 0, wasSentBefore: false });
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
