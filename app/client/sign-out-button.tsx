import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { showAccountToast } from './account/account-toast.ts';
import { signOut } from './sign-out.ts';
import { useMessages } from './use-messages.ts';

interface SignOutButtonProps {
  readonly label: string;
  /** Says so, and leads away: this screen is no longer this visitor's. */
  readonly onSignedOut: () => void | Promise<void>;
}

/** Ends this browser's session. */
export function SignOutButton({ label, onSignedOut }: SignOutButtonProps) {
  const { toasts } = useMessages();
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
