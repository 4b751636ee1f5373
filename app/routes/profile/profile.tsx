import { LayoutGrid } from 'lucide-react';
import type { ReactNode } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { dataClient } from '#app/client/browser-client.ts';
import { readUser } from '#app/client/session/read-user.ts';
import { SignOutButton } from '#app/client/session/sign-out-button.tsx';
import { requireSession, storedUserId } from '#app/client/session.ts';
import { loadProfile } from '#app/data/profile.ts';
import { AvatarField } from '#app/features/photos/avatar-field.tsx';
import { loadSummary } from '#app/features/settings/list/load-summary.ts';
import { SettingsList } from '#app/features/settings/list/settings-list.tsx';
import { ProfileDetails } from '#app/features/settings/profile/profile-details.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle, siteOf } from '#app/features/site/page-meta.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LoadFailed, StaleNotice } from '#app/resilience/load-failed.tsx';
import { createStaleIfError } from '#app/resilience/stale-if-error.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { RecentProofMeans } from '#app/verification/recent-proof.tsx';
import { profileWords } from '#words/profile.ts';
import type { Route } from './+types/profile.ts';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return staleIfError(storedUserId(), 'profile', async () => {
    await requireSession(request);
    const client = await dataClient();
    // First and alone, so that an ended session is refused only once.
    const user = await readUser();
    // Everything is loaded before anything is shown: a later part would move the content below it.
    const [profile, summary] = await Promise.all([loadProfile(client, user), loadSummary(client)]);
    return { userId: user.id, profile, summary };
  });
}
clientLoader.hydrate = true as const;

const staleIfError = createStaleIfError<{
  userId: string;
  profile: Awaited<ReturnType<typeof loadProfile>>;
  summary: Awaited<ReturnType<typeof loadSummary>>;
}>();

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(() => profileWords(siteOf(matches).language).profile.title, matches)];
}

export { LoadingScreen as HydrateFallback } from '#app/features/site/loading-screen.tsx';

/** The pages of what the address of this one names in links that were sent. */
const PAGES: Readonly<Record<string, string>> = {
  '#notices': 'notifications',
  '#notifications': 'notifications',
  '#addresses': 'notifications',
  '#contacts': 'contacts',
  '#changes': 'security',
};

export default function ProfilePage({ loaderData: { profile, summary, isStale } }: Route.ComponentProps) {
  const { profile: texts } = profileWords(useLanguage());
  const { hash } = useLocation();
  const page = PAGES[hash];
  if (page !== undefined) return <Navigate to={{ pathname: `/profile/${page}`, hash }} replace />;
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
          <SettingsList profile={profile} summary={summary} />
          <AvatarField profile={profile} />
        </div>
      </RecentProofMeans>
    </ProfileFrame>
  );
}

export function ErrorBoundary() {
  const { profile } = profileWords(useLanguage());
  return (
    <ProfileFrame>
      <h1 className="mb-6 font-bold text-3xl">{profile.title}</h1>
      <LoadFailed title={profile.loadFailed} text={profile.loadFailedText} />
    </ProfileFrame>
  );
}

function ProfileFrame({ children }: { readonly children: ReactNode }) {
  const { profile } = profileWords(useLanguage());
  const navigate = useNavigate();
  // The landing page shows this notice, because it has none of its own.
  const goToStart = () => navigate('/', { state: { notice: profile.loggedOut } });
  return (
    <Page width="text" signedIn actions={<SignOutButton label={profile.signOut} onSignedOut={goToStart} />}>
      {children}
    </Page>
  );
}
