import { useEffect, useEffectEvent, useState } from 'react';
import { whenSettled } from './when-idle.ts';

interface LazyDialogOptions {
  readonly open: boolean;
  /** Few use it on this screen, so it is loaded only once it is opened. */
  readonly onDemand?: boolean;
  /** It was opened and could not be loaded. */
  readonly onFailed: () => void;
}

/**
 * Loads the component of a dialog when the browser is idle, or when it opens, for a screen that appears before. Returns
 * null until then.
 */
export function useLazyDialog<Component>(
  load: () => Promise<Component>,
  { open, onDemand = false, onFailed }: LazyDialogOptions,
): Component | null {
  const [loaded, setLoaded] = useState<{ readonly component: Component } | null>(null);
  const show = useEffectEvent(async () => setLoaded({ component: await load() }));
  const failed = useEffectEvent(onFailed);

  useEffect(() => {
    if (open) show().catch(() => failed());
  }, [open]);
  // Where that fails, opening it retries and reports the failure.
  useEffect(() => (onDemand ? undefined : whenSettled(() => void show().catch(() => {}))), [onDemand]);

  return loaded?.component ?? null;
}
