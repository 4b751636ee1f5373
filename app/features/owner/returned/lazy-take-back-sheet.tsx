import { useTexts } from '#app/i18n/use-texts.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { useLazyDialog } from '#app/ui/use-lazy-dialog.ts';
import type { TakeBackSheetProps } from './take-back-sheet.tsx';

const loadSheet = loadOnce(async () => (await import('./take-back-sheet.tsx')).TakeBackSheet);

/** Loads the sheet when the browser is idle, or when it opens. */
export function LazyTakeBackSheet(props: TakeBackSheetProps) {
  const { common } = useTexts();
  const Loaded = useLazyDialog(loadSheet, {
    ...props,
    failure: common.anErrorOccurred,
    missing: common.partMissing,
    about: 'returned',
  });
  return Loaded === null ? null : <Loaded {...props} />;
}
