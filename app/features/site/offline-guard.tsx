import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPath, type Location, useBlocker } from 'react-router';
import { mayFetchAhead } from '#app/browser/fetch-ahead.ts';
import { loadScreenAt, loadScreens } from '#app/browser/load-screens.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { isReachable } from '#app/resilience/is-reachable.ts';
import { Button } from '#app/ui/button.tsx';
import { PlainDialog } from '#app/ui/dialog/plain-dialog.tsx';
import { loadDocument, setDestination } from '#app/ui/load-part.ts';
import { whenSettled } from '#app/ui/when-idle.ts';
import { ProgressBar } from './navigation-progress.tsx';

/**
 * Prefetches the code of the other screens on a good connection. Until that is complete, it fetches the code of the screen that is opened before
 * the router does, which would load the document of the current screen where it fails: without a connection the user stays
 * here, and where the file is gone after an update, the document of the wanted screen is loaded.
 */
export function OfflineGuard() {
  const { common } = useTexts();
  const complete = useRef(false);
  const [trying, setTrying] = useState(false);
  const [stuck, setStuck] = useState(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => !complete.current && nextLocation.pathname !== currentLocation.pathname,
  );
  const blocked = blocker.state === 'blocked';
  /** Two attempts may succeed at once, but each navigation proceeds only once. */
  const letGo = useRef<Location>(undefined);

  const prefetch = async () => {
    if (!mayFetchAhead()) return;
    complete.current = await loadScreens().then(
      () => true,
      () => false,
    );
  };
  const open = async () => {
    const { location: wanted } = blocker;
    if (wanted === undefined) return;
    setDestination(createPath(wanted));
    setTrying(true);
    const isHere = await loadScreenAt(wanted.pathname).then(
      () => true,
      () => false,
    );
    // A missing file although the service responds belongs to an older release.
    const isOutdated = !isHere && (await isReachable());
    setTrying(false);
    setStuck(!isHere && !isOutdated);
    if ((!isHere && !isOutdated) || wanted === letGo.current) return;
    letGo.current = wanted;
    if (isHere) blocker.proceed?.();
    else loadDocument(createPath(wanted));
  };
  const prefetchNow = useEffectEvent(() => void prefetch());
  const openNow = useEffectEvent(() => void open());

  useEffect(() => {
    const stop = whenSettled(() => prefetchNow());
    const onOnline = () => {
      prefetchNow();
      openNow();
    };
    addEventListener('online', onOnline);
    return () => {
      stop();
      removeEventListener('online', onOnline);
    };
  }, []);
  useEffect(() => {
    if (blocked) openNow();
  }, [blocked]);

  if (blocked && !stuck) return <ProgressBar text={common.loading} />;
  return (
    <PlainDialog
      open={blocked && stuck}
      onClose={() => {
        setDestination(null);
        blocker.reset?.();
      }}
      title={common.screenNotHere}
      closeLabel={common.close}
    >
      <p className="text-ink-soft">{common.offline}</p>
      <Button busy={trying} onClick={() => void open()}>
        {common.tryAgain}
      </Button>
    </PlainDialog>
  );
}
