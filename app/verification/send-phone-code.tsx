import { useState } from 'react';
import { showAccountToast } from '#app/client/account-toast.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { explainAuthError } from '#app/form/explain-auth-error.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';

interface SendPhoneCodeProps {
  readonly factorId: string;
  /** The code was sent; it belongs to this challenge. */
  readonly onSent: (challengeId: string) => void;
}

/** Sends a code to the phone that is the second factor. */
export function SendPhoneCode({ factorId, onSent }: SendPhoneCodeProps) {
  const { authErrors, secondFactor } = useSignInTexts();
  const [busy, setBusy] = useState(false);

  const ask = async () => {
    const { auth } = await browserClient();
    const { data, error } = await auth.mfa.challenge({ factorId });
    if (error) {
      showAccountToast('failure', explainAuthError(error, 'codeNotSent', authErrors));
      return;
    }
    onSent(data.id);
    showAccountToast('success', secondFactor.codeSent);
  };

  const send = async () => {
    setBusy(true);
    await ask()
      .catch(() => showAccountToast('failure', authErrors.codeNotSent))
      .finally(() => setBusy(false));
  };

  return (
    <Button variant="outline" busy={busy} onClick={() => void send()}>
      {secondFactor.sendCode}
    </Button>
  );
}
