import { Outlet } from 'react-router';
import { useOfflinePage } from '#app/features/offline/use-offline-page.ts';
import { OfflineGuard } from '#app/features/site/offline-guard.tsx';
import { OfflineNotice } from '#app/features/site/offline-notice.tsx';
import { useFollowSession } from '#app/lib/use-follow-session.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { useSendKeptProfileChange } from '#app/lib/use-send-kept-profile-change.ts';
import { useSendReplies } from '#app/lib/use-send-replies.ts';
import { Toasts } from '#app/ui/toasts.tsx';

/** Holds the notices over the screens that show some, so that one outlives the screen that it came from. */
export default function Journeys() {
  const { common } = useMessages();
  useFollowSession();
  useSendKeptProfileChange();
  useSendReplies();
  useOfflinePage();
  return (
    <>
      <Outlet />
      <OfflineGuard />
      <OfflineNotice />
      <Toasts label={common.notifications} closeLabel={common.close} />
    </>
  );
}
