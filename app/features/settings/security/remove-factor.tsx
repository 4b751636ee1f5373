import { useState } from 'react';
import { useRecentProof } from '#app/lib/account/recent-proof.tsx';
import { browserClient } from '#app/lib/browser-client.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { showToast } from '#app/ui/toasts.tsx';

interface RemoveFactorProps {
  readonly factorId: string;
  readonly name: string;
  readonly onRemoved: () => Promise<void>;
}

/** Removes a second factor after asking once more. */
export function RemoveFactor({ factorId, name, onRemoved }: RemoveFactorProps) {
  const { common, profile, security } = useMessages();
  const { withRecentProof, proofDialog } = useRecentProof();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  const remove = async () => {
    const { auth } = await browserClient();
    const { error } = await withRecentProof(() => auth.mfa.unenroll({ factorId }));
    if (error) throw error;
    // The session may be worth less now; its tokens should say so.
    await auth.refreshSession();
    showToast('success', security.removed, { about: 'security' });
    setAsking(false);
    await onRemoved();
  };

  return (
    <>
      <Button
        variant="quiet"
        className="px-3! text-sm!"
        aria-label={security.removeFactor(name)}
        onClick={() => setAsking(true)}
      >
        {security.remove}
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title={security.removeFactorTitle(name)} closeLabel={common.close}>
        <p className="text-ink-soft">{security.removeFactorText}</p>
        {proofDialog}
        <div className="flex flex-wrap gap-3">
          <Button
            variant="danger"
            className="flex-1"
            busy={busy}
            onClick={() => {
              setBusy(true);
              void remove()
                .catch(() => showToast('failure', security.removeFailed, { about: 'security' }))
                .finally(() => setBusy(false));
            }}
          >
            {busy ? security.removing : security.remove}
          </Button>
          <Button variant="outline" className="flex-1" onClick={() => setAsking(false)}>
            {profile.cancel}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
