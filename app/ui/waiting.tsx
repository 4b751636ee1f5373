import type { ReactNode } from 'react';
import { NeedsScript } from './needs-script.tsx';
import { Spinner } from './spinner.tsx';

interface WaitingProps {
  readonly text: string;
  /** In the place of the rest where scripts are off, and nothing would ever come. */
  readonly withoutScript: ReactNode;
}

/** A whole screen that waits, with what it waits for in words. */
export function Waiting({ text, withoutScript }: WaitingProps) {
  return (
    <main className="grid min-h-dvh place-content-center p-6">
      <p role="status" className="flex flex-col items-center gap-4 text-lg text-ink-soft noscript:hidden">
        <Spinner className="size-10 text-primary" />
        {text}
      </p>
      <NeedsScript>{withoutScript}</NeedsScript>
    </main>
  );
}
