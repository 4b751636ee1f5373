import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { ROW_LOOK } from '#app/item/item-row.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { useLazyDialog } from '#app/ui/use-lazy-dialog.ts';

const loadDialog = loadOnce(async () => (await import('./delete-item-dialog.tsx')).DeleteItemDialog);

/** The row that deletes the item, after a confirmation. */
export function DeleteItem({ item }: { readonly item: Item }) {
  const { common, item: texts } = useTexts();
  const [open, setOpen] = useState(false);
  const Dialog = useLazyDialog(loadDialog, {
    open,
    onOpenChange: setOpen,
    failure: common.anErrorOccurred,
    missing: common.partMissing,
    about: 'dialog',
  });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} className={`${ROW_LOOK} font-semibold text-danger`}>
        <span className="grid size-9 shrink-0 place-content-center rounded-md bg-danger-soft">
          <Trash2 className="size-5" aria-hidden="true" />
        </span>
        {texts.owner.delete}
      </button>
      {Dialog !== null && <Dialog item={item} open={open} onOpenChange={setOpen} />}
    </>
  );
}
