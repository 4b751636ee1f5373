import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { deleteItem, type Item } from '#app/data/items.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';

/** Deletes the item after a confirmation. */
export function DeleteItem({ item }: { readonly item: Item }) {
  const { common, item: texts } = useTexts();
  const { owner } = texts;
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  const remove = async () => {
    setBusy(true);
    try {
      await deleteItem(await browserClient(), item.id);
      showToast('success', owner.deleted);
      await navigate('/dashboard', { replace: true });
    } catch {
      showToast('failure', owner.deleteFailed);
    }
    setBusy(false);
  };

  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        <Trash2 className="size-5" aria-hidden="true" />
        {owner.delete}
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={<WithName of={owner.deleteTitle} name={item.itemName} />}
        closeLabel={common.close}
      >
        <p className="text-ink-soft">{owner.deleteText}</p>
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" busy={busy} onClick={() => void remove()} className="flex-1">
            {busy ? owner.deleting : owner.deleteConfirm}
          </Button>
          <Button variant="outline" onClick={() => setAsking(false)} className="flex-1">
            {owner.keep}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
