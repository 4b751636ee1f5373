import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly closeLabel: string;
  readonly children: ReactNode;
}

/** A sheet over the page: at the bottom of a phone, in the middle of a larger screen. Focus stays in it. */
export function Dialog({ open, onOpenChange, title, closeLabel, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[rgb(6_26_22/55%)] transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          // Notices make room for it: its buttons are where they stand.
          data-sheet=""
          className="fixed inset-x-0 bottom-0 z-40 mx-auto flex max-h-[92dvh] w-full max-w-lg flex-col gap-5 overflow-y-auto rounded-t-xl bg-surface p-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] text-ink shadow-floating transition-[translate,opacity] duration-300 data-ending-style:translate-y-6 data-starting-style:translate-y-6 data-ending-style:opacity-0 data-starting-style:opacity-0 sm:inset-y-0 sm:my-auto sm:h-fit sm:rounded-xl sm:p-8"
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="pt-2 font-bold text-xl">{title}</Base.Title>
            <Base.Close
              aria-label={closeLabel}
              className="-me-2 grid size-11 shrink-0 place-content-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
            >
              <X className="size-5" aria-hidden="true" />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
