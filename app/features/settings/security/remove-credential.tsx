import type { AuthError } from '@supabase/supabase-js';
import { useState } from 'react';
import type { AppClient } from '#app/client/app-client.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { profileWords } from '#words/profile.ts';
import { useSecurityTexts } from './use-security-texts.ts';

interface RemoveCredentialProps {
  readonly name: string;
  /** What the account loses. */
  readonly text: string;
  readonly removed: string;
  readonly failed: string;
  /** The topic of the notices. */
  readonly about: string;
  readonly remove: (auth: AppClient['auth']) => Promise<{ readonly error: AuthError | null }>;
  readonly onRemoved: () => Promise<void>;
}

/** Removes a second factor or a passkey after a confirmation. */
export function RemoveCredential({ name, text, removed, failed, about, remove, onRemoved }: RemoveCredentialProps) {
  const { common } = useTexts();
  const { profile } = profileWords(useLanguage());
  const security = useSecurityTexts();
  const { withRecentProof, proofDialog } = useRecentProof();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  const confirm = async () => {
    const { auth } = await browserClient();
    const { error } = await withRecentProof(() => remove(auth));
    if (error) throw error;
    // The session may have been lowered, so its tokens are refreshed.
    await auth.refreshSession();
    showToast('success', removed, { about });
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
        <p className="text-ink-soft">{text}</p>
        {proofDialog}
        <div className="flex flex-wrap gap-3">
          <Button
            variant="danger"
            className="flex-1"
            busy={busy}
            onClick={() => {
              setBusy(true);
              void confirm()
                .catch(() => showToast('failure', failed, { about }))
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
