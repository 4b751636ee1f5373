import { useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { whenSettled } from '#app/ui/when-idle.ts';
import type { ScannerProps } from './scanner.tsx';

type ScannerComponent = typeof import('./scanner.tsx').Scanner;

const loadScanner = loadOnce(async () => (await import('./scanner.tsx')).Scanner);

interface LazyScannerProps extends ScannerProps {
  /** Few use it on this screen, so it is loaded only once it is opened. */
  readonly onDemand?: boolean;
}

/** Loads the scanner when the browser is idle, for a screen that appears before. */
export function LazyScanner({ onDemand = false, ...props }: LazyScannerProps) {
  const { open, onOpenChange } = props;
  const { scanner } = useTexts();
  const [Loaded, setLoaded] = useState<ScannerComponent | null>(null);
  const load = useEffectEvent(() => {
    loadScanner().then(
      (component) => setLoaded(() => component),
      () => {
        onOpenChange(false);
        showToast('failure', scanner.notLoaded, { about: 'scanner' });
      },
    );
  });

  useEffect(() => {
    if (open) load();
  }, [open]);
  // Where that fails, opening it retries and reports the failure.
  useEffect(() => (onDemand ? undefined : whenSettled(() => void loadScanner().catch(() => {}))), [onDemand]);

  return Loaded === null ? null : <Loaded {...props} />;
}
