import { useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { loadPart } from '#app/ui/load-part.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';

/** Sends the link that confirms an address again, and reports it in a notice. `label` is the button's. */
export function useSendLink(type: 'email_change' | 'signup', email: string) {
  const { authErrors, emailTrouble: texts } = useTexts();
  const [busy, setBusy] = useState(false);

  const request = async () => {
    const { auth } = await browserClient();
    const { error } = await auth.resend({
      type,
      email,
      options: { emailRedirectTo: `${location.origin}/auth/callback` },
    });
    if (error === null) {
      showToast('success', texts.sentAgain, { about: 'profile' });
      return;
    }
    // Few need it, and the dashboard loads this at once.
    const { explainGap } = await loadPart(() => import('#app/form/explain-auth-error.ts'));
    showToast('failure', explainGap(error, authErrors) ?? texts.sendAgainFailed, { about: 'profile' });
  };
  const send = () => {
    setBusy(true);
    void request()
      .catch(() => showToast('failure', texts.sendAgainFailed, { about: 'profile' }))
      .finally(() => setBusy(false));
  };
  return { send, busy, label: texts.sendAgain };
}
