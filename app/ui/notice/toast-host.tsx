import { Toast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import type { Notice, NoticeLink, ToastsProps } from './toasts.tsx';

const manager = Toast.createToastManager<NoticeLink>();

/** The newest notice about each thing, by its id. */
const shown = new Map<string, string>();

/** Shows the notice in the place of the last one about the same thing. */
export function show({ tone, text, milliseconds, about, link }: Notice): void {
  dismiss(about);
  // A notice waits for a pause in what is being read; what is urgent also stands in an alert on the screen itself.
  const id = manager.add({
    title: text,
    type: tone,
    timeout: milliseconds,
    priority: 'low',
    ...(link && { data: link }),
  });
  shown.set(about, id);
}

export function dismiss(about: string): void {
  const id = shown.get(about);
  if (id !== undefined) manager.close(id);
  shown.delete(about);
}

interface ToastHostProps extends ToastsProps {
  /** Notices given to `show` from now on are seen. */
  readonly onReady: () => void;
}

/** The notices themselves. It is a module of its own because most screens are there before the first notice is. */
export function ToastHost({ label, closeLabel, onReady }: ToastHostProps) {
  const tellReady = useEffectEvent(onReady);
  // Effects of what is inside run first: the provider listens by now.
  useEffect(() => tellReady(), []);
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport
          ref={makeRoomBelow}
          aria-label={label}
          className="fixed inset-x-4 bottom-4 z-50 mx-auto [body:has([data-sheet])_&]:top-4 [body:has([data-sheet])_&]:bottom-auto [body:has([data-bottom-strip]):not(:has([data-sheet]))_&]:bottom-14 flex max-w-md flex-col gap-2 pb-[env(safe-area-inset-bottom)] sm:inset-x-auto sm:end-6 sm:bottom-6 sm:w-96"
        >
          <ToastList closeLabel={closeLabel} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** Pixels between the notices and what is above or below them. */
const GAP = 24;

/**
 * Makes room at the end of the page for the notices over it, so that what they cover can be scrolled into view, and
 * what takes the focus is never under them (WCAG 2.2, 2.4.11).
 */
function makeRoomBelow(viewport: HTMLDivElement) {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    const height = viewport.offsetHeight;
    style.setProperty('--notices-room', `${height === 0 ? 0 : height + GAP}px`);
  });
  observer.observe(viewport);
  return () => {
    observer.disconnect();
    style.removeProperty('--notices-room');
  };
}

function ToastList({ closeLabel }: { readonly closeLabel: string }) {
  const { toasts, close } = Toast.useToastManager<NoticeLink>();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['down', 'right', 'left']}
      className="rounded-md border border-on-night/20 bg-night text-on-night shadow-floating transition-[opacity,translate] duration-300 data-ending-style:translate-y-2 data-starting-style:translate-y-4 data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-center gap-3 py-2 ps-4 pe-1.5">
        {toast.type === 'failure' ? (
          <CircleAlert className="size-5 shrink-0 text-tag" aria-hidden="true" />
        ) : (
          <CircleCheck className="size-5 shrink-0 text-on-night-soft" aria-hidden="true" />
        )}
        <Toast.Title render={<p />} className="min-w-0 flex-1 py-2 font-medium text-sm" />
        {toast.data !== undefined && (
          <Link
            to={toast.data.to}
            onClick={() => close(toast.id)}
            className="inline-flex min-h-11 items-center px-2 font-semibold text-sm text-tag underline"
          >
            {toast.data.text}
          </Link>
        )}
        {/* Base UI hides it from assistive technology while the notices are stacked: here each stands by itself. */}
        <Toast.Close
          aria-hidden={false}
          aria-label={closeLabel}
          className="grid size-11 shrink-0 place-content-center rounded-md text-on-night-soft hover:text-on-night"
        >
          <X className="size-5" aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
