import { DeleteAccount } from '#app/features/settings/data/delete-account.tsx';
import { DownloadData } from '#app/features/settings/data/download-data.tsx';
import { createSettingsLoader } from '#app/features/settings/load-settings-page.ts';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { SettingsFailed, SettingsPage } from '#app/features/site/settings-page.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Card } from '#app/ui/card.tsx';
import { settingsWords } from '#words/settings.ts';
import type { Route } from './+types/data.ts';

const load = createSettingsLoader(async () => null);

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return load(request);
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => settingsWords(siteOf(matches).language).pages.ownData.title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function OwnDataPage({ loaderData: { account, isStale } }: Route.ComponentProps) {
  const { title } = settingsWords(useLanguage()).pages.ownData;
  return (
    <SettingsPage title={title} account={account} isStale={isStale}>
      <Card>
        <DownloadData />
      </Card>
      <Card>
        <DeleteAccount profile={account} />
      </Card>
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <SettingsFailed title={settingsWords(useLanguage()).pages.ownData.title} />;
}
