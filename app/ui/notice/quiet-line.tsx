import { CircleDot } from 'lucide-react';
import type { ReactNode } from 'react';

/** A pending task in one line, with its action beside it. */
export function QuietLine({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 rounded-md border border-line bg-surface py-1 ps-4 pe-4 text-sm max-sm:[&_p]:pb-0! sm:pe-2">
      <CircleDot className="mt-3.5 size-4 shrink-0 text-tag-strong max-sm:hidden" aria-hidden="true" />
      {/* A text is as high as the button beside it. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 [&>p]:py-2.5">{children}</div>
    </div>
  );
}
