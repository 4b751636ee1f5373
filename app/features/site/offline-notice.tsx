import { WifiOff } from 'lucide-react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { useOnline } from '#app/resilience/use-online.ts';

/** Shows on every screen that the connection is lost, without moving the layout. */
export function OfflineNotice() {
  const { common } = useTexts();
  const online = useOnline();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-(--menu-room) z-50 flex justify-center">
      {!online && (
        <p
          // The page ends above it.
          data-bottom-strip=""
          className="flex min-h-10 items-center gap-2.5 rounded-t-md bg-tag px-4 pt-2 pb-[max(0.5rem,var(--safe-end))] font-medium text-on-tag text-sm shadow-floating"
        >
          <WifiOff className="size-4 shrink-0" aria-hidden="true" />
          {common.offlineNotice}
        </p>
      )}
    </div>
  );
}
