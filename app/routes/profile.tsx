import { LayoutGrid } from 'lucide-react';
import type { ReactNode } from 'react';
import { redirect, useNavigate } from 'react-router';
import { DeleteAccount } from '#app/features/own-data/delete-account.tsx';
import { DownloadData } from '#app/features/own-data/download-data.tsx';
import { AvatarField } from '#app/features/photos/avatar-field.tsx';
import { AccountChannels } from '#app/features/profile/account-channels.tsx';
import { ProfileDetails } from '#app/features/profile/profile-details.tsx';
import { FactorsSection } from '#app/features/security/factors-section.tsx';
import { PasswordSection } from '#app/features/security/password-section.tsx';
import { countRecoveryCodes } from '#app/features/security/recovery-codes.ts';
import { loadSessions } from '#app/features/security/sessions.ts';
import { SessionsSection } from '#app/features/security/sessions-section.tsx';
import { BackLink } from '#app/features/site/back-link.tsx';
import { Page } from '#app/features/site/page.tsx';
import { pageTitle } from '#app/features/site/page-meta.ts';
import { RecentProofMeans } from '#app/lib/account/recent-proof.tsx';
import { browserClient } from '#app/lib/browser-client.ts';
import { LoadFailed } from '#app/lib/load-failed.tsx';
import { loadProfile, loadUser } from '#app/lib/profile.ts';
import { requireSession } from '#app/lib/session.ts';
import { SignOutButton } from '#app/lib/sign-out-button.tsx';
import { useMessages } from '#app/lib/use-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Waiting } from '#app/ui/waiting.tsx';
import { en } from '#domain/messages/en.ts';
import { resolveTagCode } from '#domain/resolve-tag-code.ts';
import type { Route } from './+types/profile.ts';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireSession(request);
  const code = resolveTagCode(new URL(request.url));
  if (code !== null) throw redirect(`/item/${code}`);
  const client = await browserClient();
  // First and alone: a session that is over is refused once.
  const user = await loadUser(client);
  // All of it before anything is shown: a part that came later would move what stands below it.
  const [profile, codesLeft, sessions] = await Promise.all([
    loadProfile(client, user),
    countRecoveryCodes(client).catch(() => null),
    loadSessions(client).catch(() => null),
  ]);
  return { profile, codesLeft, sessions };
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [pageTitle(en.profile.title, matches)];
}

export function HydrateFallback() {
  const { common } = useMessages();
  return <Waiting text={common.loading} withoutScript={common.needsScript} />;
}

export default function ProfilePage({ loaderData: { profile, codesLeft, sessions } }: Route.ComponentProps) {
  const { ownData, profile: texts, security } = useMessages();
  return (
    <ProfileFrame>
      {/* What is being changed is this account's, and is never another's who signs in over it. */}
      <RecentProofMeans key={profile.id} profile={profile}>
        <div className="flex flex-col gap-6">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <h1 className="font-bold text-3xl">{texts.title}</h1>
            <LinkButton variant="outline" to="/dashboard">
              <LayoutGrid className="size-5" aria-hidden="true" />
              {texts.backToDashboard}
            </LinkButton>
          </div>
          <AvatarField profile={profile} />
          <ProfileDetails profile={profile} />
          <AccountChannels profile={profile} />
          <h2 className="mt-4 font-bold text-2xl">{security.title}</h2>
          <PasswordSection profile={profile} />
          <FactorsSection loaded={codesLeft === null ? null : { factors: profile.secondFactors, codesLeft }} />
          <SessionsSection loaded={sessions} />
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
  const { profile } = useMessages();
  return (
    <ProfileFrame>
      <h1 className="mb-6 font-bold text-3xl">{profile.title}</h1>
      <LoadFailed title={profile.loadFailed} text={profile.loadFailedText} />
    </ProfileFrame>
  );
}

function ProfileFrame({ children }: { readonly children: ReactNode }) {
  const { profile } = useMessages();
  const navigate = useNavigate();
  // The start says it, because it has no notices of its own.
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
