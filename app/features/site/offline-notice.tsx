import { WifiOff } from 'lucide-react';
import { useMessages } from '#app/lib/use-messages.ts';
import { useOnline } from '#app/lib/use-online.ts';

/** Says on every screen that the connection is gone, for as long as it is, without moving anything. */
export function OfflineNotice() {
  const { common } = useMessages();
  const online = useOnline();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex justify-center">
      {!online && (
        <p
          // Notices stand above it.
          data-bottom-strip=""
          className="flex items-center gap-2.5 rounded-t-md bg-tag px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] font-medium text-on-tag text-sm shadow-floating"
        >
          <WifiOff className="size-4 shrink-0" aria-hidden="true" />
          {common.offlineNotice}
        </p>
      )}
    </div>
  );
}
