import { LayoutGrid } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { requireSession, storedUserId } from '#app/client/session.ts';
import { SignOutButton } from '#app/client/session/sign-out-button.tsx';
import { loadAccountChanges } from '#app/data/changes/account-changes.ts';
import { loadProfile, loadUser } from '#app/data/profile.ts';
import { AvatarField } from '#app/features/photos/avatar-field.tsx';
import { RecentChanges } from '#app/features/settings/changes/recent-changes.tsx';
import { loadSecondContacts } from '#app/features/settings/contacts/contact-list.ts';
import { SecondContacts } from '#app/features/settings/contacts/second-contacts.tsx';
import { DeleteAccount } from '#app/features/settings/data/delete-account.tsx';
import { DownloadData } from '#app/features/settings/data/download-data.tsx';
import { loadNoticeAddresses } from '#app/features/settings/notifications/notice-addresses.ts';
import { NoticeAddressesSection } from '#app/features/settings/notifications/notice-addresses-section.tsx';
import { loadNoticeChoices } from '#app/features/settings/notifications/notice-choices.ts';
import { NoticeSettings } from '#app/features/settings/notifications/notice-settings.tsx';
import { NotificationSettings } from '#app/features/settings/notifications/notification-settings.tsx';
import { loadPushSettings } from '#app/features/settings/notifications/push-settings.ts';
import { ContactMethodSettings } from '#app/features/settings/profile/contact-method-settings.tsx';
import { ProfileDetails } from '#app/features/settings/profile/profile-details.tsx';
import { FactorsSection } from '#app/features/settings/security/factors-section.tsx';
import { PasswordSection } from '#app/features/settings/security/password-section.tsx';
import { countRecoveryCodes } from '#app/features/settings/security/recovery-codes.ts';
import { loadSessions } from '#app/features/settings/security/sessions.ts';
import { SessionsSection } from '#app/features/settings/security/sessions-section.tsx';
import { useSettingsTexts } from '#app/features/settings/use-settings-texts.ts';
import { BackLink, Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { LoadFailed, StaleNotice } from '#app/resilience/load-failed.tsx';
import { createStaleIfError } from '#app/resilience/stale-if-error.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { RecentProofMeans } from '#app/verification/recent-proof.tsx';
import type { Route } from './+types/profile.ts';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return staleIfError(storedUserId(), 'profile', async () => {
    await requireSession(request);
    return loadAccount();
  });
}
clientLoader.hydrate = true as const;

const staleIfError = createStaleIfError<Awaited<ReturnType<typeof loadAccount>>>();

async function loadAccount() {
  const client = await browserClient();
  // First and alone, so that an ended session is refused only once.
  const user = await loadUser(client);
  // Everything is loaded before anything is shown: a later part would move the content below it.
  const [profile, codesLeft, sessions, push, notices, addresses, contacts, changes] = await Promise.all([
    loadProfile(client, user),
    countRecoveryCodes(client).catch(() => null),
    loadSessions(client).catch(() => null),
    loadPushSettings().catch(() => null),
    loadNoticeChoices(client).catch(() => null),
    loadNoticeAddresses(client).catch(() => null),
    loadSecondContacts(client).catch(() => null),
    loadAccountChanges(client).catch(() => null),
  ]);
  return { userId: user.id, profile, codesLeft, sessions, push, notices, addresses, contacts, changes };
}

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(({ profile }) => profile.title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

export default function ProfilePage({
  loaderData: { profile, codesLeft, sessions, push, notices, addresses, contacts, changes, isStale },
}: Route.ComponentProps) {
  const { profile: texts } = useTexts();
  const { ownData, security } = useSettingsTexts();
  return (
    <ProfileFrame>
      {/* Keyed by account: pending changes must not carry over to another account that signs in. */}
      <RecentProofMeans key={profile.id} profile={profile}>
        <div className="flex flex-col gap-6">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <h1 className="font-bold text-3xl">{texts.title}</h1>
            <LinkButton variant="outline" to="/dashboard">
              <LayoutGrid className="size-5" aria-hidden="true" />
              {texts.backToDashboard}
            </LinkButton>
          </div>
          {isStale && <StaleNotice />}
          <ProfileDetails profile={profile} />
          <AvatarField profile={profile} />
          <ContactMethodSettings profile={profile} />
          <NoticeSettings profile={profile} loaded={notices} />
          <NotificationSettings userId={profile.id} loaded={push} />
          <SecondContacts loaded={contacts} />
          <NoticeAddressesSection loaded={addresses} />
          <h2 className="mt-4 font-bold text-2xl">{security.title}</h2>
          <PasswordSection profile={profile} />
          <FactorsSection factors={profile.secondFactors} codesLeft={codesLeft} />
          <SessionsSection loaded={sessions} />
          <RecentChanges loaded={changes} />
          <h2 className="mt-4 font-bold text-2xl">{ownData.title}</h2>
          <Card className="flex flex-col gap-6">
            <DownloadData />
            <DeleteAccount profile={profile} />
          </Card>
        </div>
      </RecentProofMeans>
    </ProfileFrame>
  );
}

export function ErrorBoundary() {
  const { profile } = useTexts();
  return (
    <ProfileFrame>
      <h1 className="mb-6 font-bold text-3xl">{profile.title}</h1>
      <LoadFailed title={profile.loadFailed} text={profile.loadFailedText} />
    </ProfileFrame>
  );
}

function ProfileFrame({ children }: { readonly children: ReactNode }) {
  const { profile } = useTexts();
  const navigate = useNavigate();
  // The landing page shows this notice, because it has none of its own.
  const goToStart = () => navigate('/', { state: { notice: profile.loggedOut } });
  return (
    <Page
      width="text"
      home="/dashboard"
      start={<BackLink to="/dashboard" />}
      actions={<SignOutButton label={profile.signOut} onSignedOut={goToStart} />}
    >
      {children}
    </Page>
  );
}
