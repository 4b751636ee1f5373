import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Location, useBlocker } from 'react-router';
import { isReachable } from '#app/lib/is-reachable.ts';
import { loadScreens } from '#app/lib/load-screens.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { PlainDialog } from '#app/ui/plain-dialog.tsx';
import { whenSettled } from '#app/ui/when-settled.ts';

/**
 * Fetches the other screens' code ahead. Where that has not been possible, and the service is out of reach, it keeps
 * somebody on this screen, which works: the router would load the document anew, and end on the browser's own error page.
 */
export function OfflineGuard() {
  const { common } = useMessages();
  const complete = useRef(false);
  const failed = useRef(false);
  const [trying, setTrying] = useState(false);
  const [stuck, setStuck] = useState(false);
  const blocker = useBlocker(() => !complete.current && (failed.current || !navigator.onLine));
  const blocked = blocker.state === 'blocked';
  /** Two attempts may succeed at once, and each departure is let go once. */
  const letGo = useRef<Location>(undefined);

  const load = async () => {
    setTrying(true);
    await loadScreens().then(
      () => {
        complete.current = true;
      },
      () => {
        failed.current = true;
      },
    );
    // A piece that is gone although the service answers is of an older release: loading the document anew mends it.
    const canGo = complete.current || (blocked && (await isReachable()));
    setTrying(false);
    setStuck(!canGo);
    if (!canGo || blocker.location === letGo.current) return;
    letGo.current = blocker.location;
    blocker.proceed?.();
  };
  const loadNow = useEffectEvent(() => void load());

  useEffect(() => {
    const stop = whenSettled(() => loadNow());
    const onOnline = () => loadNow();
    addEventListener('online', onOnline);
    return () => {
      stop();
      removeEventListener('online', onOnline);
    };
  }, []);
  useEffect(() => {
    // What was missing may have come meanwhile.
    if (blocked) loadNow();
  }, [blocked]);

  return (
    <PlainDialog
      open={blocked && stuck}
      onClose={() => blocker.reset?.()}
      title={common.screenNotHere}
      closeLabel={common.close}
    >
      <p className="text-ink-soft">{common.offline}</p>
      <Button busy={trying} onClick={() => void load()}>
        {common.tryAgain}
      </Button>
    </PlainDialog>
  );
}
