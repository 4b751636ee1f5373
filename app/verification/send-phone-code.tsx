import { useState } from 'react';
import { browserClient } from '#app/lib/browser-client.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { showAccountToast } from './account-toast.ts';

interface SendPhoneCodeProps {
  readonly factorId: string;
  /** The code is on its way, and answers this challenge. */
  readonly onSent: (challengeId: string) => void;
}

/** Has a code sent to the phone that is the second factor. */
export function SendPhoneCode({ factorId, onSent }: SendPhoneCodeProps) {
  const { secondFactor } = useMessages();
  const [busy, setBusy] = useState(false);

  const ask = async () => {
    const { auth } = await browserClient();
    const { data, error } = await auth.mfa.challenge({ factorId });
    if (error) throw error;
    onSent(data.id);
    showAccountToast('success', secondFactor.codeSent);
  };

  const send = async () => {
    setBusy(true);
    await ask()
      .catch(() => showAccountToast('failure', secondFactor.codeNotSent))
      .finally(() => setBusy(false));
  };

  return (
    <Button variant="outline" busy={busy} onClick={() => void send()}>
      {secondFactor.sendCode}
    </Button>
  );
}
