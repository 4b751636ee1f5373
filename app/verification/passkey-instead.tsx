import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { supportsPasskeys } from '#app/passkeys/passkey-support.ts';
import { loadPasskeys, type Shown, showPasskey, showSecurityKey } from '#app/passkeys/passkeys.ts';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';

interface ProvingProps {
  /** Called when the session is raised. */
  readonly onProved: () => Promise<void>;
}

/** Offers a passkey in place of a code, where the account has one: it is worth both factors. */
export function PasskeyInstead({ onProved }: ProvingProps) {
  const { passkey: texts } = useSignInTexts();
  const [hasPasskey, setHasPasskey] = useState(false);
  useEffect(() => {
    if (!supportsPasskeys()) return;
    // Without an answer the code remains.
    loadPasskeys().then(
      (passkeys) => setHasPasskey(passkeys.length > 0),
      () => {},
    );
  }, []);
  const { busy, prove } = useProof(onProved);
  if (!hasPasskey) return null;
  return (
    <Button variant="quiet" className="px-3! text-sm!" busy={busy} onClick={() => void prove(signInAgain)}>
      {texts.useInstead}
    </Button>
  );
}

/** Asks for a security key, which is the second factor. */
export function SecurityKey({ factorId, onProved }: ProvingProps & { readonly factorId: string }) {
  const { passkey: texts } = useSignInTexts();
  const { busy, prove } = useProof(onProved);
  return (
    <>
      <p className="text-ink-soft">{texts.keyText}</p>
      <Button size="large" wide busy={busy} onClick={() => void prove(() => showSecurityKey(factorId))}>
        <KeyRound className="size-5" aria-hidden="true" />
        {texts.useKey}
      </Button>
    </>
  );
}

/** The passkey begins a session of its own, so the one that it replaces ends. */
async function signInAgain(): Promise<Shown> {
  const { auth } = await browserClient();
  const { data } = await auth.getSession();
  const shown = await showPasskey();
  const former = data.session?.access_token;
  if (shown === 'done' && former !== undefined) await auth.admin.signOut(former, 'local').catch(() => {});
  return shown;
}

function useProof(onProved: () => Promise<void>) {
  const { passkey: texts } = useSignInTexts();
  const [busy, setBusy] = useState(false);
  const prove = async (show: () => Promise<Shown>) => {
    setBusy(true);
    const shown = await show().catch(() => 'failed' as const);
    if (shown === 'done') await onProved();
    else if (shown !== 'canceled') showToast('failure', texts[shown], { about: 'account' });
    setBusy(false);
  };
  return { busy, prove };
}
