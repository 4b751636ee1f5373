import { Printer, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { detachSticker, type ItemSticker } from '#app/data/stickers.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { LazyDialog } from '#app/item/lazy-dialog.tsx';
import { LazyStickerDialog } from '#app/item/sticker/lazy-sticker-dialog.tsx';
import { Button } from '#app/ui/button.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { itemStickersWords } from '#words/item-stickers.ts';

interface StickerRowProps {
  readonly sticker: ItemSticker;
  /** The last sticker stays until the item is deleted. */
  readonly isRemovable: boolean;
  readonly onRemoved: () => Promise<void>;
}

/** One sticker: its typed code, since when it is on the item, and what can be done with it. */
export function StickerRow({ sticker: { code, since, isVoid }, isRemovable, onRemoved }: StickerRowProps) {
  const { dashboard } = useTexts();
  const texts = itemStickersWords(useLanguage());
  const [open, setOpen] = useState<'print' | 'remove' | null>(null);
  const typedCode = typedCodeOf(code);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-40 flex-1">
        <p translate="no" dir="ltr" className="w-fit select-all font-mono text-sm">
          {typedCode}
        </p>
        <p className="text-ink-soft text-xs">{isVoid ? dashboard.voidCode : texts.since(formatDay(since))}</p>
      </div>
      <div className="flex flex-wrap gap-1">
        {!isVoid && (
          <Button variant="quiet" aria-label={texts.printOf(typedCode)} onClick={() => setOpen('print')}>
            <Printer className="size-5" aria-hidden="true" />
            {texts.print}
          </Button>
        )}
        {isRemovable && (
          <Button variant="quiet" aria-label={texts.removeOf(typedCode)} onClick={() => setOpen('remove')}>
            <Trash2 className="size-5" aria-hidden="true" />
            {texts.remove}
          </Button>
        )}
      </div>
      <LazyStickerDialog
        code={code}
        open={open === 'print'}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'print' : null)}
      />
      <RemoveDialog
        code={code}
        typedCode={typedCode}
        open={open === 'remove'}
        onClose={() => setOpen(null)}
        onRemoved={onRemoved}
      />
    </li>
  );
}

interface RemoveDialogProps {
  readonly code: string;
  readonly typedCode: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => Promise<void>;
}

function RemoveDialog({ code, typedCode, open, onClose, onRemoved }: RemoveDialogProps) {
  const { common } = useTexts();
  const texts = itemStickersWords(useLanguage());
  const [busy, setBusy] = useState(false);
  const { withRecentProof, proofDialog } = useRecentProof();
  const remove = async () => {
    setBusy(true);
    try {
      const client = await browserClient();
      await withRecentProof(() => detachSticker(client, code));
      announce(texts.removed);
      onClose();
      await onRemoved();
    } catch {
      showToast('failure', texts.removeFailed, { about: code });
    }
    setBusy(false);
  };
  return (
    <LazyDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={texts.removeTitle}
      closeLabel={common.close}
    >
      {proofDialog}
      <p translate="no" dir="ltr" className="w-fit font-mono">
        {typedCode}
      </p>
      <p className="text-ink-soft">{texts.removeText}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="danger" busy={busy} onClick={() => void remove()} className="flex-1">
          {busy ? texts.removing : texts.removeConfirm}
        </Button>
        <Button variant="outline" onClick={onClose} className="flex-1">
          {texts.keep}
        </Button>
      </div>
    </LazyDialog>
  );
}
