import { useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { whenSettled } from '#app/ui/when-idle.ts';
import type { StickerDialogProps } from './sticker-dialog.tsx';

type StickerDialogComponent = typeof import('./sticker-dialog.tsx').StickerDialog;

const loadDialog = loadOnce(async () => (await import('./sticker-dialog.tsx')).StickerDialog);

/** Loads the dialog when the browser is idle, or when it opens. */
export function LazyStickerDialog(props: StickerDialogProps) {
  const { open, onOpenChange } = props;
  const { common } = useTexts();
  const [Loaded, setLoaded] = useState<StickerDialogComponent | null>(null);
  const load = useEffectEvent(() => {
    loadDialog().then(
      (component) => setLoaded(() => component),
      () => {
        onOpenChange(false);
        showToast('failure', common.anErrorOccurred, { about: 'sticker' });
      },
    );
  });

  useEffect(() => {
    if (open) load();
  }, [open]);
  // Where that fails, opening it retries and reports the failure.
  useEffect(() => whenSettled(() => void loadDialog().catch(() => {})), []);

  return Loaded === null ? null : <Loaded {...props} />;
}
