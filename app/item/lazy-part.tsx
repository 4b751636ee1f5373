import type { ReactNode } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { useLazyDialog } from '#app/ui/use-lazy-dialog.ts';
import { Spinner } from '#app/ui/waiting.tsx';

interface LazyPartProps<Part> {
  /** Loads its component, once for all that show it (`loadOnce`). */
  readonly load: () => Promise<Part>;
  readonly open: boolean;
  /** Called where it was opened and cannot be loaded. A notice says so. */
  readonly onClose: () => void;
  readonly children: (part: Part) => ReactNode;
}

/** A part of the page that opens. Its code is loaded when the browser is idle, or when it opens. */
export function LazyPart<Part>({ load, open, onClose, children }: LazyPartProps<Part>) {
  const { common } = useTexts();
  const part = useLazyDialog(load, {
    open,
    onOpenChange: onClose,
    failure: common.anErrorOccurred,
    missing: common.partMissing,
    about: 'part',
  });
  if (part !== null) return children(part);
  if (!open) return null;
  return (
    <p role="status" className="flex items-center gap-3 py-2 text-ink-soft text-sm">
      <Spinner />
      {common.loading}
    </p>
  );
}
