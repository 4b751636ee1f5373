import { useTexts } from '#app/i18n/use-texts.ts';
import type { DialogProps } from '#app/ui/dialog/dialog.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { useLazyDialog } from '#app/ui/use-lazy-dialog.ts';

const loadDialog = loadOnce(async () => (await import('#app/ui/dialog/dialog.tsx')).Dialog);

/** A `Dialog` whose code is loaded when the browser is idle, or when it opens. */
export function LazyDialog(props: DialogProps) {
  const { common } = useTexts();
  const Loaded = useLazyDialog(loadDialog, {
    ...props,
    failure: common.anErrorOccurred,
    missing: common.partMissing,
    about: 'dialog',
  });
  return Loaded === null ? null : <Loaded {...props} />;
}
