import type { ReactNode } from 'react';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { firstVisitWords } from '#words/first-visit.ts';

interface StepProgressProps {
  /** From 1. */
  readonly step: number;
  readonly steps: number;
  /** At the start of the line. */
  readonly children?: ReactNode;
}

/** Where one is in the first visit, in words and as bars. */
export function StepProgress({ step, steps, children }: StepProgressProps) {
  const texts = firstVisitWords(useLanguage());
  return (
    <div className="flex flex-col gap-2">
      <div className="flex min-h-6 items-center justify-between gap-4">
        {children}
        <p className="ms-auto text-ink-soft text-sm tabular-nums">{texts.step({ step, steps })}</p>
      </div>
      <div className="flex gap-1.5" aria-hidden="true">
        {Array.from({ length: steps }, (_, place) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={place}
            className={classNames(
              'h-1.5 flex-1 rounded-full transition-[background-color] forced-colors:border',
              place < step ? 'bg-primary forced-colors:bg-[Highlight]' : 'bg-sunken',
            )}
          />
        ))}
      </div>
    </div>
  );
}
