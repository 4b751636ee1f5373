import { WifiOff } from 'lucide-react';
import { useMessages } from '#app/lib/use-messages.ts';
import { useOnline } from '#app/lib/use-online.ts';

/** Says on every screen that the connection is gone, for as long as it is, without moving anything. */
export function OfflineNotice() {
  const { common } = useMessages();
  const online = useOnline();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[env(safe-area-inset-top)] z-50 flex justify-center"
    >
      {!online && (
        <p className="flex items-center gap-2.5 rounded-b-md bg-tag px-4 py-2 font-medium text-on-tag text-sm shadow-floating">
          <WifiOff className="size-4 shrink-0" aria-hidden="true" />
          {common.offlineNotice}
        </p>
      )}
    </div>
  );
}
