import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useUnsettled } from './when-idle.ts';

/** Has no text of its own; the text beside it is announced. */
export function Spinner({ className = 'size-5' }: { readonly className?: string }) {
  return (
    <svg className={classNames('animate-spin', className)} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="3" opacity="0.25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}

/** Shown only where scripts are disabled, to say what this means for the screen. */
export function NeedsScript({ children }: { readonly children: ReactNode }) {
  return (
    <noscript>
      <p className="rounded-md border border-tag-strong/60 bg-tag-soft px-4 py-3 text-ink text-sm">{children}</p>
    </noscript>
  );
}

interface WaitingProps {
  readonly text: string;
  /** Shown instead where scripts are disabled, because the screen would wait forever. */
  readonly withoutScript: ReactNode;
}

/** A screen that waits, with a text that says for what. */
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

/** The same within a screen's frame. */
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
