import { useTexts } from '#app/i18n/use-texts.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { useLazyDialog } from '#app/ui/use-lazy-dialog.ts';
import type { ScannerProps } from './scanner.tsx';

const loadScanner = loadOnce(async () => (await import('./scanner.tsx')).Scanner);

interface LazyScannerProps extends ScannerProps {
  /** Few use it on this screen, so it is loaded only once it is opened. */
  readonly onDemand?: boolean;
}

/** Loads the scanner when the browser is idle, for a screen that appears before. */
export function LazyScanner({ onDemand = false, ...props }: LazyScannerProps) {
  const { common, scanner } = useTexts();
  const Loaded = useLazyDialog(loadScanner, {
    ...props,
    onDemand,
    failure: scanner.notLoaded,
    missing: common.partMissing,
    about: 'scanner',
  });
  return Loaded === null ? null : <Loaded {...props} />;
}
