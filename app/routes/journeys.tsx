import { Outlet } from 'react-router';
import { useSaveLanguage } from '#app/client/language/use-save-language.ts';
import { useFollowSession } from '#app/client/use-follow-session.ts';
import { useSendReplies } from '#app/data/use-send-replies.ts';
import { useSendUnsentProfileChange } from '#app/data/use-send-unsent-profile-change.ts';
import { useOfflinePage } from '#app/features/offline/use-offline-page.ts';
import { OfflineGuard } from '#app/features/site/offline-guard.tsx';
import { OfflineNotice } from '#app/features/site/offline-notice.tsx';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Toasts } from '#app/ui/notice/toasts.tsx';

/** Holds the notices above the screens that show some, so that a notice outlives its screen. */
export default function Journeys() {
  const { common } = useTexts();
  useFollowSession();
  useSendUnsentProfileChange();
  useSendReplies();
  useOfflinePage();
  useSaveLanguage();
  return (
    <>
      <Toasts label={common.notifications} closeLabel={common.close} />
      <Outlet />
      <OfflineGuard />
      <OfflineNotice />
    </>
  );
}
