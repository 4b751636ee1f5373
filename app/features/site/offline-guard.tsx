import { useEffect, useEffectEvent, useState } from 'react';
import { useBlocker } from 'react-router';
import { loadScreens, screensAreAtHand } from '#app/lib/screens-at-hand.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';

/** Fetches the other screens' code ahead, and where that was not possible keeps somebody offline from leaving this one. */
export function OfflineGuard() {
  const { common } = useMessages();
  const [trying, setTrying] = useState(false);
  const blocker = useBlocker(() => !navigator.onLine && !screensAreAtHand());
  useLoadScreensWhenIdle();

  const tryAgain = async () => {
    setTrying(true);
    await loadScreens()
      .then(
        () => blocker.proceed?.(),
        () => {},
      )
      .finally(() => setTrying(false));
  };
  const onOnline = useEffectEvent(() => {
    if (blocker.state === 'blocked') void tryAgain();
  });
  useEffect(() => {
    const listener = () => onOnline();
    addEventListener('online', listener);
    return () => removeEventListener('online', listener);
  }, []);

  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => open || blocker.reset?.()}
      title={common.screenNotHere}
      closeLabel={common.close}
    >
      <p className="text-ink-soft">{common.offline}</p>
      <Button busy={trying} onClick={() => void tryAgain()}>
        {common.tryAgain}
      </Button>
    </Dialog>
  );
}

function useLoadScreensWhenIdle(): void {
  useEffect(() => {
    // What could not be fetched is fetched when somebody goes there.
    const load = () => void loadScreens().catch(() => {});
    // Safari has no idle callback; a moment is as good.
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(load, 500);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(load, { timeout: 3_000 });
    return () => cancelIdleCallback(request);
  }, []);
}
