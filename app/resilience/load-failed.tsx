import { useRevalidator, useRouteError } from 'react-router';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { MissingPart } from '#app/ui/load-part.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { useRetry } from './use-retry.ts';

/** Shown in place of what could not be loaded. Retries until it succeeds. */
export function LoadFailed({ title, text }: { readonly title: string; readonly text: string }) {
  const { common } = useTexts();
  const { revalidate, state } = useRevalidator();
  const online = useRetry(revalidate);
  // The text names the connection, which is not the reason then.
  const reason = useRouteError() instanceof MissingPart ? common.partMissing : text;
  return (
    <div className="flex flex-col items-start gap-5">
      <Alert title={title}>{online ? reason : common.offline}</Alert>
      <Button variant="outline" busy={state === 'loading'} onClick={() => void revalidate()}>
        {common.tryAgain}
      </Button>
    </div>
  );
}

interface PartFailedProps {
  readonly text: string;
  readonly retry: () => Promise<void>;
}

/** Shown in a part of a screen that could not be loaded with the rest. Retries until it succeeds. */
export function PartFailed({ text, retry }: PartFailedProps) {
  useRetry(retry);
  return <Alert tone="warning">{text}</Alert>;
}

/**
 * Shown above content that could not be reloaded. Retries until it succeeds. Shows nothing while offline, because every
 * screen shows that state already.
 */
export function StaleNotice() {
  const { common } = useTexts();
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
