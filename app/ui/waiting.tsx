import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { NeedsScript } from './needs-script.tsx';
import { Spinner } from './spinner.tsx';
import { useUnsettled } from './when-settled.ts';

interface WaitingProps {
  readonly text: string;
  /** In the place of the rest where scripts are off, and nothing would ever come. */
  readonly withoutScript: ReactNode;
}

/** A whole screen that waits, with what it waits for in words. */
export function Waiting(props: WaitingProps) {
  useUnsettled();
  return (
    <main className="grid min-h-dvh place-content-center p-6">
      <WaitingWords {...props} />
    </main>
  );
}

interface WaitingWordsProps extends WaitingProps {
  readonly className?: string | undefined;
}

/** The same in a screen that has a frame around it. */
export function WaitingWords({ text, withoutScript, className }: WaitingWordsProps) {
  return (
    <>
      <p
        role="status"
        className={classNames('flex flex-col items-center gap-4 text-ink-soft text-lg noscript:hidden', className)}
      >
        <Spinner className="size-10 text-primary" />
        {text}
      </p>
      <NeedsScript>{withoutScript}</NeedsScript>
    </>
  );
}
