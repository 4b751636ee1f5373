import { useRevalidator } from 'react-router';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { useMessages } from './use-messages.ts';
import { useRetry } from './use-retry.ts';

/**
 * Over what could not be loaded anew: says so, and tries again by itself until it can. Without a connection every
 * screen says so already, and nothing moves for that.
 */
export function StaleNotice() {
  const { common } = useMessages();
  const { revalidate, state } = useRevalidator();
  const online = useRetry(revalidate);
  if (!online) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="min-w-60 flex-1">
        <Alert tone="warning">{common.shownAsItWas}</Alert>
      </div>
      <Button variant="outline" busy={state === 'loading'} onClick={() => void revalidate()}>
        {common.tryAgain}
      </Button>
    </div>
  );
}
