import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { signOut } from '#app/lib/sign-out.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/toasts.tsx';

/** Ends this browser's session and leads to the start, which says so. */
export function SignOutButton() {
  const { profile, toasts } = useMessages();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  const leave = async () => {
    setBusy(true);
    await signOut()
      .then(() => navigate('/', { viewTransition: true, state: { notice: profile.loggedOut } }))
      .catch(() => showToast('failure', toasts.signOutFailed, { about: 'account' }))
      .finally(() => setBusy(false));
  };

  return (
    <Button variant="quiet" busy={busy} onClick={() => void leave()}>
      <LogOut className="size-5 rtl:-scale-x-100" aria-hidden="true" />
      {profile.signOut}
    </Button>
  );
}
