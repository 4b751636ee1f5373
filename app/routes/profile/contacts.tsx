import { loadSecondContacts } from '#app/features/settings/contacts/contact-list.ts';
import { SecondContacts } from '#app/features/settings/contacts/second-contacts.tsx';
import { createSettingsLoader } from '#app/features/settings/load-settings-page.ts';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { SettingsFailed, SettingsPage } from '#app/features/site/settings-page.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { settingsWords } from '#words/settings.ts';
import type { Route } from './+types/contacts.ts';

const load = createSettingsLoader((client) => loadSecondContacts(client).catch(() => null));

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return load(request);
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => settingsWords(siteOf(matches).language).pages.contacts.title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function ContactsPage({ loaderData: { account, parts, isStale } }: Route.ComponentProps) {
  const { title } = settingsWords(useLanguage()).pages.contacts;
  return (
    <SettingsPage title={title} account={account} isStale={isStale}>
      <SecondContacts loaded={parts} />
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <SettingsFailed title={settingsWords(useLanguage()).pages.contacts.title} />;
}
