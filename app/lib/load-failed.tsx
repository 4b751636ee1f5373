import { useRevalidator } from 'react-router';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { useMessages } from './use-messages.ts';
import { useRetry } from './use-retry.ts';

/** In the place of what could not be loaded: says so, and tries again by itself until it is there. */
export function LoadFailed({ title, text }: { readonly title: string; readonly text: string }) {
  const { common } = useMessages();
  const { revalidate, state } = useRevalidator();
  const online = useRetry(revalidate);
  return (
    <div className="flex flex-col items-start gap-5">
      <Alert title={title}>{online ? text : common.offline}</Alert>
      <Button variant="outline" busy={state === 'loading'} onClick={() => void revalidate()}>
        {common.tryAgain}
      </Button>
    </div>
  );
}
