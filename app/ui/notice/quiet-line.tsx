import { CircleDot } from 'lucide-react';
import type { ReactNode } from 'react';

/** One thing that needs doing, said quietly, with how to do it beside it. */
export function QuietLine({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 rounded-md border border-line bg-surface py-1 ps-4 pe-2 text-sm">
      <CircleDot className="size-4 shrink-0 text-tag-strong" aria-hidden="true" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3">{children}</div>
    </div>
  );
}
