import { useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { useSettingsTexts } from '../use-settings-texts.ts';

interface RemoveFactorProps {
  readonly factorId: string;
  readonly name: string;
  readonly onRemoved: () => Promise<void>;
}

/** Removes a second factor after a confirmation. */
export function RemoveFactor({ factorId, name, onRemoved }: RemoveFactorProps) {
  const { common, profile } = useTexts();
  const { security } = useSettingsTexts();
  const { withRecentProof, proofDialog } = useRecentProof();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  const remove = async () => {
    const { auth } = await browserClient();
    const { error } = await withRecentProof(() => auth.mfa.unenroll({ factorId }));
    if (error) throw error;
    // The session may have been lowered, so its tokens are refreshed.
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
        aria-label={security.removeFactor(isolateName(name))}
        onClick={() => setAsking(true)}
      >
        {security.remove}
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={<WithName of={security.removeFactorTitle} name={name} />}
        closeLabel={common.close}
      >
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
