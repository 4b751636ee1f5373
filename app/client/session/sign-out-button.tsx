import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { showAccountToast } from '#app/client/account-toast.ts';
import { signOut } from '#app/client/sign-out.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';

interface SignOutButtonProps {
  readonly label: string;
  /** Reports the sign-out and navigates away from this screen. */
  readonly onSignedOut: () => void | Promise<void>;
}

/** Signs this browser out. */
export function SignOutButton({ label, onSignedOut }: SignOutButtonProps) {
  const { toasts } = useTexts();
  const [busy, setBusy] = useState(false);

  const leave = async () => {
    setBusy(true);
    await signOut()
      .then(onSignedOut, () => showAccountToast('failure', toasts.signOutFailed))
      .finally(() => setBusy(false));
  };

  return (
    <Button variant="quiet" busy={busy} onClick={() => void leave()}>
      <LogOut className="size-5 rtl:-scale-x-100" aria-hidden="true" />
      {label}
    </Button>
  );
}
