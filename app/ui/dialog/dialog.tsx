import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: ReactNode;
  readonly closeLabel: string;
  readonly children: ReactNode;
  /** The element that gets the focus when it closes, if not the one that had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null> | undefined;
}

/** The classes of each part. */
interface DialogLook {
  readonly popup: string;
  readonly head: string;
  readonly title: string;
  readonly close: string;
  readonly cross: string;
}

/** The common parts of the app's dialogs: backdrop, title, close button, and a focus trap. */
function DialogFrame(props: DialogProps & { readonly look: DialogLook }) {
  const { open, onOpenChange, title, closeLabel, finalFocus, look, children } = props;
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[rgb(6_26_22/55%)] transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          data-sheet=""
          finalFocus={finalFocus}
          className={`fixed z-40 mx-auto flex flex-col overflow-y-auto shadow-floating transition-[translate,opacity] duration-300 data-ending-style:opacity-0 data-starting-style:opacity-0 ${look.popup}`}
        >
          <div className={`flex justify-between gap-4 ${look.head}`}>
            <Base.Title className={`font-bold ${look.title}`}>{title}</Base.Title>
            <Base.Close
              aria-label={closeLabel}
              className={`grid shrink-0 place-content-center rounded-md ${look.close}`}
            >
              <X className={look.cross} aria-hidden="true" />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

const SHEET = {
  popup:
    'inset-x-0 bottom-0 max-h-[min(92dvh,100dvh-var(--notices-room,0px))] w-full max-w-lg gap-5 rounded-t-xl bg-surface p-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] text-ink data-ending-style:translate-y-6 data-starting-style:translate-y-6 sm:inset-y-0 sm:my-auto sm:h-fit sm:max-h-[min(92dvh,100dvh-2*var(--notices-room,0px))] sm:rounded-xl sm:p-8',
  head: 'items-start',
  title: 'pt-2 text-xl',
  close: '-me-2 size-11 text-ink-soft hover:bg-sunken hover:text-ink',
  cross: 'size-5',
};

/** A sheet over the page: at the bottom of a phone, centered on a larger screen. Traps the focus. */
export function Dialog(props: DialogProps) {
  return <DialogFrame {...props} look={SHEET} />;
}

const FULL_SCREEN = {
  popup:
    'inset-x-0 top-(--notices-room,0px) bottom-0 bg-night text-on-night data-ending-style:translate-y-2.5 data-starting-style:translate-y-2.5 md:my-auto md:h-[min(46rem,94dvh-var(--notices-room,0px))] md:max-w-lg md:rounded-xl',
  head: 'items-center py-2 ps-5 pe-2 pt-[max(0.5rem,env(safe-area-inset-top))]',
  title: 'text-lg',
  close: 'size-12 text-on-night-soft hover:text-on-night focus-visible:outline-on-night',
  cross: 'size-6',
};

/** A dialog on a dark background that fills a phone's screen and is centered on a larger one. */
export function FullScreenDialog(props: DialogProps) {
  return <DialogFrame {...props} look={FULL_SCREEN} />;
}
