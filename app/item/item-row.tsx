import { ChevronDown, type LucideIcon } from 'lucide-react';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { classNames } from '#app/ui/class-names.ts';
import { LazyPart } from './lazy-part.tsx';

interface ItemRowProps<Part> {
  /** The hash of a URL that leads here, without `#`. */
  readonly id: string;
  /** Further hashes that open it, such as that of a dialog inside. */
  readonly opensAt?: readonly `#${string}`[];
  readonly icon: LucideIcon;
  readonly title: string;
  /** What is inside, in a few words, while it is closed. */
  readonly summary?: ReactNode;
  readonly load: () => Promise<Part>;
  /** `title` gets the focus once a pressed button inside is gone. */
  readonly children: (part: Part, title: RefObject<HTMLElement | null>) => ReactNode;
}

/** A row of a list that opens below itself. What is inside stays while the page does, also closed. */
export function ItemRow<Part>({ id, opensAt = [], icon: Icon, title, summary, load, children }: ItemRowProps<Part>) {
  const { hash, key } = useLocation();
  const isAsked = hash === `#${id}` || opensAt.some((one) => one === hash);
  const [isOpen, setIsOpen] = useState(isAsked);
  // Each visit by such a URL opens it, once.
  const [visit, setVisit] = useState(key);
  if (visit !== key) {
    setVisit(key);
    if (isAsked) setIsOpen(true);
  }
  // What is inside says it as well.
  const isSummed = summary !== undefined && !isOpen;
  const trigger = useRef<HTMLButtonElement>(null);
  const ids = useId();
  const [titleId, panelId] = [`${ids}title`, `${ids}panel`];
  return (
    <section id={id} aria-labelledby={titleId} className="scroll-mt-4">
      <h2>
        <button
          ref={trigger}
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
          className={ROW_LOOK}
        >
          <span className="grid size-9 shrink-0 place-content-center rounded-md bg-primary-soft text-primary">
            <Icon className="size-5" aria-hidden="true" />
          </span>
          <span className="min-w-0 flex-1">
            <span id={titleId} className="block font-semibold">
              {title}
            </span>
            {isSummed && <span className="wrap-anywhere block text-ink-soft text-sm">{summary}</span>}
          </span>
          <ChevronDown
            className={classNames('size-5 shrink-0 text-ink-soft transition-[rotate]', isOpen && 'rotate-180')}
            aria-hidden="true"
          />
        </button>
      </h2>
      <div id={panelId} className={isOpen ? 'flex flex-col gap-4 px-4 pt-1 pb-6 sm:px-6' : 'hidden'}>
        <LazyPart load={load} open={isOpen} onClose={() => setIsOpen(false)}>
          {(part) => children(part, trigger)}
        </LazyPart>
      </div>
    </section>
  );
}

/** A row of a list. */
export const ROW_LOOK =
  'flex min-h-16 w-full items-center gap-4 px-4 py-3 text-start hover:bg-primary-soft/50 sm:px-6 -outline-offset-2';

/** Rows as one list. */
export function ItemRows({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex flex-col divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-raised">
      {children}
    </div>
  );
}
