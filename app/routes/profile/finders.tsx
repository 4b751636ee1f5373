import { loadSwitches } from '#app/data/profile.ts';
import { createSettingsLoader } from '#app/features/settings/load-settings-page.ts';
import { ContactMethodSettings } from '#app/features/settings/profile/contact-method-settings.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { SettingsFailed, SettingsPage } from '#app/features/site/settings-page.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { settingsWords } from '#words/settings.ts';
import type { Route } from './+types/finders.ts';

const load = createSettingsLoader(async (client, user) => loadSwitches(client, user.id));

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return load(request);
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => settingsWords(siteOf(matches).language).pages.finders.title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function FindersPage({ loaderData: { account, parts, isStale } }: Route.ComponentProps) {
  const { title } = settingsWords(useLanguage()).pages.finders;
  return (
    <SettingsPage title={title} account={account} isStale={isStale}>
      <ContactMethodSettings profile={parts} />
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <SettingsFailed title={settingsWords(useLanguage()).pages.finders.title} />;
}
