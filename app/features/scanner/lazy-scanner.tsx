import { useEffect, useEffectEvent, useState } from 'react';
import { useMessages } from '#app/lib/use-messages.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { showToast } from '#app/ui/toasts.tsx';
import { whenSettled } from '#app/ui/when-settled.ts';
import type { ScannerProps } from './scanner.tsx';

type ScannerComponent = typeof import('./scanner.tsx').Scanner;

const loadScanner = loadOnce(async () => (await import('./scanner.tsx')).Scanner);

/** The scanner for a screen that is there before its code is: that is fetched ahead when the browser is idle. */
export function LazyScanner(props: ScannerProps) {
  const { open, onOpenChange } = props;
  const { scanner } = useMessages();
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
  // Where that fails, opening it tries again and says so.
  useEffect(() => whenSettled(() => void loadScanner().catch(() => {})), []);

  return Loaded === null ? null : <Loaded {...props} />;
}
