import { loadAccountChanges } from '#app/data/changes/account-changes.ts';
import { RecentChanges } from '#app/features/settings/changes/recent-changes.tsx';
import { createSettingsLoader } from '#app/features/settings/load-settings-page.ts';
import { FactorsSection } from '#app/features/settings/security/factors-section.tsx';
import { PasskeysSection } from '#app/features/settings/security/passkeys-section.tsx';
import { PasswordSection } from '#app/features/settings/security/password-section.tsx';
import { countRecoveryCodes } from '#app/features/settings/security/recovery-codes.ts';
import { loadSessions } from '#app/features/settings/security/sessions.ts';
import { SessionsSection } from '#app/features/settings/security/sessions-section.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { SettingsFailed, SettingsPage } from '#app/features/site/settings-page.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { loadPasskeys } from '#app/passkeys/passkeys.ts';
import { settingsWords } from '#words/settings.ts';
import type { Route } from './+types/security.ts';

const load = createSettingsLoader(async (client) => {
  const [codesLeft, passkeys, sessions, changes] = await Promise.all([
    countRecoveryCodes(client).catch(() => null),
    loadPasskeys().catch(() => null),
    loadSessions(client).catch(() => null),
    loadAccountChanges(client).catch(() => null),
  ]);
  return { codesLeft, passkeys, sessions, changes };
});

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return load(request);
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => settingsWords(siteOf(matches).language).pages.security.title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function SecurityPage({ loaderData: { account, parts, isStale } }: Route.ComponentProps) {
  const { title } = settingsWords(useLanguage()).pages.security;
  return (
    <SettingsPage title={title} account={account} isStale={isStale}>
      <PasswordSection profile={account} />
      <PasskeysSection loaded={parts.passkeys} />
      <FactorsSection factors={account.secondFactors} codesLeft={parts.codesLeft} />
      <SessionsSection loaded={parts.sessions} />
      <RecentChanges loaded={parts.changes} />
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <SettingsFailed title={settingsWords(useLanguage()).pages.security.title} />;
}
