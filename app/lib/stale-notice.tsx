import { useRevalidator } from 'react-router';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { useMessages } from './use-messages.ts';
import { useRetry } from './use-retry.ts';

/** Over what could not be loaded anew: says so, and tries again by itself until it can. */
export function StaleNotice() {
  const { common } = useMessages();
  const { revalidate, state } = useRevalidator();
  const online = useRetry(revalidate);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="min-w-60 flex-1">
        <Alert tone="warning">{online ? common.shownAsItWas : common.offline}</Alert>
      </div>
      <Button variant="outline" busy={state === 'loading'} onClick={() => void revalidate()}>
        {common.tryAgain}
      </Button>
    </div>
  );
}
