import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { loadReturnCodes } from '#app/data/return-codes.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { itemPageWords } from '#words/item-page.ts';

interface ReturnCodeProps {
  readonly itemId: string;
  /** Undefined where it could not be loaded, as in a session whose proof is too old. */
  readonly code: string | undefined;
}

/** The code that the finder of a conversation has too. */
export function ReturnCode({ itemId, code }: ReturnCodeProps) {
  const { threads } = itemPageWords(useLanguage());
  const { revalidate } = useRevalidator();
  const { withRecentProof, proofDialog } = useRecentProof();
  const [busy, setBusy] = useState(false);
  const show = async () => {
    setBusy(true);
    try {
      const client = await browserClient();
      await withRecentProof(() => loadReturnCodes(client, itemId));
      await revalidate();
    } catch {
      showToast('failure', threads.returnCodeFailed, { about: itemId });
    }
    setBusy(false);
  };
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-ink-soft text-sm">
      {proofDialog}
      <p>{threads.returnCode}</p>
      {code === undefined ? (
        <Button variant="quiet" className="px-3! text-sm!" busy={busy} onClick={() => void show()}>
          {threads.showReturnCode}
        </Button>
      ) : (
        <p translate="no" dir="ltr" className="font-bold text-ink text-lg tabular-nums tracking-widest">
          {code}
        </p>
      )}
    </div>
  );
}
