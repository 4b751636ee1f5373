import { ChevronLeft } from 'lucide-react';
import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';
import { StepProgress } from '#app/item/step-progress.tsx';
import { Button } from '#app/ui/button.tsx';
import { useVisitTexts } from './use-visit-texts.ts';

/** What each step is given. */
export interface StepProps {
  /** From 1. */
  readonly step: number;
  readonly steps: number;
  /** Whether it has replaced another step, so that its title takes the focus. */
  readonly isReached: boolean;
  /** Null on the first one. */
  readonly onBack: (() => void) | null;
  readonly onNext: () => void;
}

interface StepFrameProps extends Omit<StepProps, 'onNext'> {
  readonly title: string;
  readonly lead: ReactNode;
  /** The label of the button that saves and goes on. */
  readonly action: string;
  readonly busy?: boolean;
  readonly onSubmit: () => void;
  /** Null where the button saves nothing. */
  readonly onSkip: (() => void) | null;
  readonly children: ReactNode;
}

/** One step: where one is, one question, and its buttons, which are on the screen however little fits on it. */
export function StepFrame(props: StepFrameProps) {
  const { step, steps, isReached, title, lead, action, busy = false, onBack, onSubmit, onSkip, children } = props;
  const texts = useVisitTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isReached) heading.current?.focus({ preventScroll: true });
  }, [isReached]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };
  return (
    <form noValidate onSubmit={submit} className="page-enter flex flex-col gap-4 sm:gap-6">
      <StepProgress step={step} steps={steps}>
        {onBack !== null && (
          <Button variant="quiet" className="-ms-3 -my-3 min-h-11! gap-1! px-2! text-sm!" onClick={onBack}>
            <ChevronLeft className="size-5 rtl:-scale-x-100" aria-hidden="true" />
            {texts.previous}
          </Button>
        )}
      </StepProgress>
      <div className="flex flex-col gap-1.5">
        <h1 ref={heading} tabIndex={-1} className="text-balance font-bold text-2xl outline-none">
          {title}
        </h1>
        <p className="text-ink-soft text-sm">{lead}</p>
      </div>
      {/* What has the focus is not below the bar. */}
      <div className="flex flex-col gap-4 sm:gap-5 [&_:is(input,button)]:scroll-mb-24">{children}</div>
      <div className="-mx-4 sm:mx-0 flex flex-wrap gap-3 bg-canvas px-4 py-3 sm:px-0 [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:bottom-(--end-room)">
        {onSkip !== null && (
          <Button variant="quiet" className="px-3!" onClick={onSkip}>
            {texts.skip}
          </Button>
        )}
        <Button type="submit" size="large" className="min-w-fit flex-1 px-4!" busy={busy}>
          {busy ? texts.saving : action}
        </Button>
      </div>
    </form>
  );
}
