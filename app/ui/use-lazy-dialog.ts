import { useEffect, useEffectEvent, useState } from 'react';
import { loadPart, MissingPart } from './load-part.ts';
import { showToast } from './notice/toasts.tsx';
import { whenSettled } from './when-idle.ts';

interface LazyDialogOptions {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Few use it on this screen, so it is loaded only once it is opened. */
  readonly onDemand?: boolean;
  /** The notice where it was opened and could not be loaded. */
  readonly failure: string;
  /** The notice where its code is missing although the service responds. */
  readonly missing: string;
  /** What that notice is about. */
  readonly about: string;
}

/**
 * Loads the component of a dialog when the browser is idle, or when it opens, for a screen that appears before. Returns
 * null until then. Where it was opened and cannot be loaded, it is closed again with a notice.
 */
export function useLazyDialog<Component>(
  load: () => Promise<Component>,
  { open, onOpenChange, onDemand = false, failure, missing, about }: LazyDialogOptions,
): Component | null {
  const [loaded, setLoaded] = useState<{ readonly component: Component } | null>(null);
  const show = useEffectEvent(async (loading: Promise<Component>) => setLoaded({ component: await loading }));
  const prefetch = useEffectEvent(() => show(load()));
  const showNow = useEffectEvent(() => show(loadPart(load)));
  const fail = useEffectEvent((error: unknown) => {
    onOpenChange(false);
    showToast('failure', error instanceof MissingPart ? missing : failure, { about });
  });

  useEffect(() => {
    if (open) showNow().catch((error: unknown) => fail(error));
  }, [open]);
  // Where that fails, opening it retries and reports the failure.
  useEffect(() => (onDemand ? undefined : whenSettled(() => void prefetch().catch(() => {}))), [onDemand]);

  return loaded?.component ?? null;
}
