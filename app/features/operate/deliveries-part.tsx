import { formatMoment } from '#app/i18n/format-date.ts';
import { Card } from '#app/ui/card.tsx';
import type { FailedJob } from './console-data.ts';
import { useOperateTexts } from './use-operate-texts.ts';

/** What could not be sent or done, and why. */
export function DeliveriesPart({ failed }: { readonly failed: readonly FailedJob[] }) {
  const { deliveries: texts } = useOperateTexts();
  return (
    <Card>
      {failed.length === 0 && <p>{texts.none}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {failed.map(
          ({ task, attempts, reason, failed_at: at, is_retried: isRetried, next_at: next, created_at: made }) => (
            <li key={`${task} ${made} ${at}`} className="flex flex-col gap-1 py-3">
              <h2 className="wrap-anywhere font-medium font-mono text-sm">{task}</h2>
              {reason !== null && (
                <p lang="en" dir="ltr" className="wrap-anywhere text-danger text-sm">
                  {reason}
                </p>
              )}
              <p className="text-ink-soft text-sm">{texts.attempts({ count: attempts, date: formatMoment(at) })}</p>
              <p className="text-ink-soft text-sm">{isRetried ? texts.next(formatMoment(next)) : texts.givenUp}</p>
            </li>
          ),
        )}
      </ul>
    </Card>
  );
}
