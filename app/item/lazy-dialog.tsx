import { useTexts } from '#app/i18n/use-texts.ts';
import type { DialogProps } from '#app/ui/dialog/dialog.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useLazyDialog } from '#app/ui/use-lazy-dialog.ts';

const loadDialog = loadOnce(async () => (await import('#app/ui/dialog/dialog.tsx')).Dialog);

/** A `Dialog` whose code is loaded when the browser is idle, or when it opens. */
export function LazyDialog(props: DialogProps) {
  const { open, onOpenChange } = props;
  const { common } = useTexts();
  const Loaded = useLazyDialog(loadDialog, {
    open,
    onFailed: () => {
      onOpenChange(false);
      showToast('failure', common.anErrorOccurred, { about: 'dialog' });
    },
  });
  return Loaded === null ? null : <Loaded {...props} />;
}
