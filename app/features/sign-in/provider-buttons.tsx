import { useState } from 'react';
import { useHydrated } from '#app/browser/use-hydrated.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import type { SignInProvider } from '#app/client/request-context.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';

/** Buttons for signing in with the configured providers; nothing where there are none. */
export function ProviderButtons() {
  const { providers } = useSignInTexts();
  const { signInProviders } = usePublicConfig();
  if (signInProviders.length === 0) return null;
  return (
    <div className="mt-5 flex flex-col gap-3">
      <p className="flex items-center gap-3 text-ink-soft text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {providers.or}
      </p>
      {signInProviders.map((provider) => (
        <ProviderButton key={provider.id} provider={provider} />
      ))}
    </div>
  );
}

function ProviderButton({ provider: { id, name, icon } }: { readonly provider: SignInProvider }) {
  const { providers } = useSignInTexts();
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);

  // The browser navigates to the provider, which returns to the callback page.
  const go = async () => {
    const { auth } = await browserClient();
    // The client's type lists only common providers; the operator may configure any.
    const provider = id as Parameters<typeof auth.signInWithOAuth>[0]['provider'];
    const redirectTo = `${location.origin}/auth/callback`;
    const { error } = await auth.signInWithOAuth({ provider, options: { redirectTo } });
    if (error) throw error;
  };

  return (
    <Button
      variant="outline"
      wide
      busy={busy}
      disabled={!hydrated}
      onClick={() => {
        setBusy(true);
        void go().catch(() => {
          setBusy(false);
          showToast('failure', providers.failed, { about: 'account' });
        });
      }}
    >
      {icon !== null && <img src={icon} alt="" className="size-5" />}
      {providers.continueWith(name)}
    </Button>
  );
}
