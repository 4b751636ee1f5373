import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';

interface SheetProps {
  /** Called when it is closed by its button or the Escape key. */
  readonly onClose: () => void;
  readonly title: string;
  readonly closeLabel: string;
  readonly children: ReactNode;
}

/** A sheet based on the browser's own dialog, for what must be shown when no more code can be fetched. */
export function PlainDialog({ open, ...sheet }: SheetProps & { readonly open: boolean }) {
  return open && <Sheet {...sheet} />;
}

function Sheet({ onClose, title, closeLabel, children }: SheetProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onClose={onClose}
      // Notices move out of the way, because they would cover its buttons.
      data-sheet=""
      className="fixed inset-x-0 top-auto bottom-0 mx-auto max-h-[92dvh] w-full max-w-lg flex-col gap-5 overflow-y-auto rounded-t-xl bg-surface p-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] text-ink shadow-floating backdrop:bg-[rgb(6_26_22/55%)] open:flex sm:inset-y-0 sm:my-auto sm:h-fit sm:rounded-xl sm:p-8"
    >
      <div className="flex items-start justify-between gap-4">
        <h2 id={titleId} className="pt-2 font-bold text-xl">
          {title}
        </h2>
        <button
          type="button"
          aria-label={closeLabel}
          onClick={() => element.current?.close()}
          className="-me-2 grid size-11 shrink-0 place-content-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <X className="size-5" aria-hidden="true" />
        </button>
      </div>
      {children}
    </dialog>
  );
}
