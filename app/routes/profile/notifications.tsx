import { usePublicConfig } from '#app/client/public-config.ts';
import { createSettingsLoader } from '#app/features/settings/load-settings-page.ts';
import { AlwaysOn } from '#app/features/settings/notifications/always-on.tsx';
import { loadNoticeAddresses } from '#app/features/settings/notifications/notice-addresses.ts';
import { NoticeAddressesSection } from '#app/features/settings/notifications/notice-addresses-section.tsx';
import { loadNoticeChoices } from '#app/features/settings/notifications/notice-choices.ts';
import { NoticeSettings } from '#app/features/settings/notifications/notice-settings.tsx';
import { NotificationSettings } from '#app/features/settings/notifications/notification-settings.tsx';
import { loadPushSettings } from '#app/features/settings/notifications/push-settings.ts';
import { loadTestMessages } from '#app/features/settings/notifications/test-messages.ts';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { SettingsFailed, SettingsPage } from '#app/features/site/settings-page.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { settingsWords } from '#words/settings.ts';
import type { Route } from './+types/notifications.ts';

const load = createSettingsLoader(async (client, user) => {
  const [notices, push, addresses, tests] = await Promise.all([
    loadNoticeChoices(client).catch(() => null),
    loadPushSettings().catch(() => null),
    loadNoticeAddresses(client).catch(() => null),
    loadTestMessages(client).catch(() => []),
  ]);
  const provedEmail = user.email_confirmed_at === undefined ? null : user.email || null;
  return { notices, push, addresses, tests, provedEmail };
});

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return load(request);
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => settingsWords(siteOf(matches).language).pages.notifications.title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function NotificationsPage({ loaderData: { account, parts, isStale } }: Route.ComponentProps) {
  const { title } = settingsWords(useLanguage()).pages.notifications;
  const { hasMail, pushKey } = usePublicConfig();
  return (
    <SettingsPage title={title} account={account} isStale={isStale}>
      <NoticeSettings
        profile={{ ...account, provedEmail: parts.provedEmail }}
        loaded={parts.notices}
        tests={parts.tests}
        devices={(hasMail || pushKey !== null) && <NotificationSettings userId={account.id} loaded={parts.push} />}
        addresses={<NoticeAddressesSection loaded={parts.addresses} />}
      />
      {hasMail && <AlwaysOn />}
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <SettingsFailed title={settingsWords(useLanguage()).pages.notifications.title} />;
}
