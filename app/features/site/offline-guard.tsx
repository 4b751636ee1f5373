import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Location, useBlocker } from 'react-router';
import { loadScreens } from '#app/browser/load-screens.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { isReachable } from '#app/resilience/is-reachable.ts';
import { Button } from '#app/ui/button.tsx';
import { PlainDialog } from '#app/ui/dialog/plain-dialog.tsx';
import { whenSettled } from '#app/ui/when-idle.ts';

/**
 * Prefetches the code of the other screens. While that has failed and the service is unreachable, it keeps the user on
 * this working screen: the router would otherwise reload the document and end on the browser's error page.
 */
export function OfflineGuard() {
  const { common } = useTexts();
  const complete = useRef(false);
  const failed = useRef(false);
  const [trying, setTrying] = useState(false);
  const [stuck, setStuck] = useState(false);
  const blocker = useBlocker(() => !complete.current && (failed.current || !navigator.onLine));
  const blocked = blocker.state === 'blocked';
  /** Two attempts may succeed at once, but each navigation proceeds only once. */
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
    // A missing file although the service responds belongs to an older release; reloading the document fixes that.
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
    // The missing code may be available by now.
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
