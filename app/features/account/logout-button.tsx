import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { showAccountToast } from '#app/lib/account/account-toast.ts';
import { signOut } from '#app/lib/sign-out.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';

/** Ends this browser's session and leads to sign-in. */
export function LogoutButton() {
  const { dashboard, toasts } = useMessages();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  const logout = async () => {
    setBusy(true);
    await signOut()
      .then(() => {
        showAccountToast('success', toasts.signedOut);
        return navigate('/auth', { viewTransition: true });
      })
      .catch(() => showAccountToast('failure', toasts.signOutFailed))
      .finally(() => setBusy(false));
  };

  return (
    <Button variant="quiet" busy={busy} onClick={() => void logout()}>
      <LogOut className="size-5 rtl:-scale-x-100" aria-hidden="true" />
      {dashboard.logout}
    </Button>
  );
}
