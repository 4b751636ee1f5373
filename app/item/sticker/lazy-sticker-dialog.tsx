import { useTexts } from '#app/i18n/use-texts.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { useLazyDialog } from '#app/ui/use-lazy-dialog.ts';
import type { StickerDialogProps } from './sticker-dialog.tsx';

const loadDialog = loadOnce(async () => (await import('./sticker-dialog.tsx')).StickerDialog);

/** Loads the dialog when the browser is idle, or when it opens. */
export function LazyStickerDialog(props: StickerDialogProps) {
  const { common } = useTexts();
  const Loaded = useLazyDialog(loadDialog, {
    ...props,
    failure: common.anErrorOccurred,
    missing: common.partMissing,
    about: 'sticker',
  });
  return Loaded === null ? null : <Loaded {...props} />;
}
