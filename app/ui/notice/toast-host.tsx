import { Toast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import { Announcer } from './announcer.tsx';
import { makeRoom } from './make-room.ts';
import type { Notice, NoticeLink, ToastsProps } from './toasts.tsx';

const toastStack = Toast.createToastManager<NoticeLink>();

/** Shows a notice in place of the one with the same topic, so that there are never two. */
export function show({ tone, text, milliseconds, about, link }: Notice): void {
  // Announced at a pause of the screen reader; anything urgent is also in an alert on the screen.
  toastStack.add({
    id: about,
    title: text,
    type: tone,
    timeout: milliseconds,
    priority: 'low',
    // Written where there is none, too: the one before may have had one.
    data: link,
  });
}

export function dismiss(about: string): void {
  toastStack.close(about);
}

interface ToastHostProps extends ToastsProps {
  /** Called once notices passed to `show` are visible. */
  readonly onReady: () => void;
}

/** The notices, seen and unseen. A separate module, because most screens appear before the first notice. */
export function ToastHost({ label, closeLabel, onReady }: ToastHostProps) {
  const announceReady = useEffectEvent(onReady);
  // Effects of children run first, so the provider is already subscribed.
  useEffect(() => announceReady(), []);
  return (
    <Toast.Provider toastManager={toastStack} limit={3}>
      <Announcer />
      <Toast.Portal>
        <Toast.Viewport
          ref={makeRoom}
          aria-label={label}
          className="fixed inset-x-0 top-0 z-50 divide-y divide-on-night/20 bg-night text-on-night not-empty:pt-[env(safe-area-inset-top)] print:hidden"
        >
          <ToastList closeLabel={closeLabel} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList({ closeLabel }: { readonly closeLabel: string }) {
  const { toasts, close } = Toast.useToastManager<NoticeLink>();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['up', 'right', 'left']}
      className="transition-opacity duration-300 data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="mx-auto flex max-w-xl items-center gap-3 py-1 ps-4 pe-1.5">
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
        {/* Base UI hides it from assistive technology while notices are stacked; here each one stands alone. */}
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
