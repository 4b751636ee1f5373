import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';

interface FullScreenDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly closeLabel: string;
  /** Where the focus goes when it closes, where that is not what had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null> | undefined;
  readonly children: ReactNode;
}

/** A dialog on deep ground that takes a phone's whole screen, and stands in the middle of a larger one. */
export function FullScreenDialog(props: FullScreenDialogProps) {
  const { open, onOpenChange, title, closeLabel, finalFocus, children } = props;
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[rgb(6_26_22/55%)] transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          // Notices make room for it: its buttons are where they stand.
          data-sheet=""
          finalFocus={finalFocus}
          className="fixed inset-0 z-40 mx-auto flex h-dvh flex-col overflow-y-auto bg-night text-on-night shadow-floating transition-[translate,opacity] duration-300 data-ending-style:translate-y-2.5 data-starting-style:translate-y-2.5 data-ending-style:opacity-0 data-starting-style:opacity-0 md:my-auto md:h-[min(46rem,94dvh)] md:max-w-lg md:rounded-xl"
        >
          <div className="flex items-center justify-between gap-4 py-2 ps-5 pe-2 pt-[max(0.5rem,env(safe-area-inset-top))]">
            <Base.Title className="font-bold text-lg">{title}</Base.Title>
            <Base.Close
              aria-label={closeLabel}
              className="grid size-12 shrink-0 place-content-center rounded-md text-on-night-soft hover:text-on-night focus-visible:outline-on-night"
            >
              <X className="size-6" aria-hidden="true" />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
