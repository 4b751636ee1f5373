import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useHydrated } from '#app/browser/use-hydrated.ts';
import { dismissAccountToast, showAccountToast } from '#app/client/account-toast.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { suggestsPasskeys, supportsPasskeys } from '#app/passkeys/passkey-support.ts';
import type { Shown } from '#app/passkeys/passkeys.ts';
import { Button } from '#app/ui/button.tsx';
import { loadPart } from '#app/ui/load-part.ts';
import { whenSettled } from '#app/ui/when-idle.ts';

const loadPasskeyCalls = () => loadPart(() => import('#app/passkeys/passkeys.ts'));

/**
 * Signs in with a passkey: by this button, or by the browser's suggestions for a field whose `autocomplete` contains
 * `webauthn`. Nothing where passkeys do not work.
 */
export function PasskeySignIn({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  const { passkey: texts } = useSignInTexts();
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);
  const suggesting = useRef<AbortController | null>(null);

  const settle = async (shown: Shown) => {
    if (shown === 'done') await onSignedIn();
    else if (shown !== 'canceled') showAccountToast('failure', texts[shown]);
  };
  const suggest = useEffectEvent(async (): Promise<void> => {
    const stop = new AbortController();
    suggesting.current = stop;
    const { suggestPasskeys } = await loadPasskeyCalls();
    const shown = await suggestPasskeys(stop.signal);
    // One that is refused is not suggested again. The button remains.
    if (!stop.signal.aborted) await settle(shown);
  });
  useEffect(() => {
    const cancel = whenSettled(() => {
      suggestsPasskeys()
        .then((can) => (can ? suggest() : undefined))
        // The button remains.
        .catch(() => {});
    });
    return () => {
      cancel();
      suggesting.current?.abort();
    };
  }, []);

  const signIn = async () => {
    // A browser asks for one passkey at a time.
    suggesting.current?.abort();
    dismissAccountToast();
    const { showPasskey } = await loadPasskeyCalls();
    await settle(await showPasskey());
  };
  if (hydrated && !supportsPasskeys()) return null;
  return (
    <Button
      variant="outline"
      size="large"
      wide
      busy={busy}
      disabled={!hydrated}
      onClick={() => {
        setBusy(true);
        void signIn()
          .catch(() => showAccountToast('failure', texts.failed))
          .finally(() => setBusy(false));
      }}
    >
      <KeyRound className="size-5" aria-hidden="true" />
      {texts.signIn}
    </Button>
  );
}
