import { useRef, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { deleteItem, type Item } from '#app/data/items.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';

export interface DeleteItemDialogProps {
  readonly item: Item;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Deletes the item after a confirmation. */
export function DeleteItemDialog({ item, open, onOpenChange }: DeleteItemDialogProps) {
  const { common, item: texts } = useTexts();
  const { owner } = texts;
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const { withRecentProof, proofDialog } = useRecentProof();
  const running = useRef<AbortController | null>(null);

  const remove = async () => {
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    try {
      const client = await browserClient();
      await withRecentProof(() => deleteItem(client, item.id, controller.signal));
      showToast('success', owner.deleted);
      await navigate('/dashboard', { replace: true });
    } catch {
      // Called back too late, it may be gone all the same.
      if (controller.signal.aborted) await revalidate();
      else showToast('failure', owner.deleteFailed);
    }
    setBusy(false);
  };
  /** Calls a deletion back that is still under way. */
  const ask = (isOpen: boolean) => {
    if (!isOpen) running.current?.abort();
    onOpenChange(isOpen);
  };

  return (
    <Dialog
      open={open}
      onOpenChange={ask}
      title={<WithName of={owner.deleteTitle} name={item.itemName} />}
      closeLabel={common.close}
    >
      {proofDialog}
      <p className="text-ink-soft">{owner.deleteText}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="danger" busy={busy} onClick={() => void remove()} className="flex-1">
          {busy ? owner.deleting : owner.deleteConfirm}
        </Button>
        <Button variant="outline" onClick={() => ask(false)} className="flex-1">
          {owner.keep}
        </Button>
      </div>
    </Dialog>
  );
}
