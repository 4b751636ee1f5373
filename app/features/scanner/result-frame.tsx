import type { HTMLAttributes, ReactNode } from 'react';

interface ResultFrameProps extends HTMLAttributes<HTMLDivElement> {
  readonly icon: ReactNode;
}

/** A full panel about one result, which takes the focus. */
export function ResultFrame({ icon, children, ...rest }: ResultFrameProps) {
  return (
    // The focused element is gone; keyboard navigation continues from here.
    <div
      {...rest}
      ref={takeFocus}
      tabIndex={-1}
      className="flex flex-1 flex-col items-center justify-center gap-5 px-6 py-10 text-center outline-none"
    >
      <span
        className="tag-pop grid size-18 shrink-0 -rotate-6 place-content-center rounded-lg bg-tag text-on-tag"
        aria-hidden="true"
      >
        {icon}
      </span>
      {children}
    </div>
  );
}

function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
