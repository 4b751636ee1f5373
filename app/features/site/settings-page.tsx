import type { ReactNode } from 'react';
import type { Account } from '#app/data/profile.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { LoadFailed, StaleNotice } from '#app/resilience/load-failed.tsx';
import { RecentProofMeans } from '#app/verification/recent-proof.tsx';
import { profileWords } from '#words/profile.ts';
import { BackLink, Page } from './page.tsx';

interface SettingsPageProps {
  readonly title: string;
  readonly account: Account;
  readonly isStale: boolean;
  readonly children: ReactNode;
}

/** The frame of a page of the settings, with the way back to their list. */
export function SettingsPage({ title, account, isStale, children }: SettingsPageProps) {
  return (
    <SettingsFrame title={title}>
      {isStale && <StaleNotice />}
      {/* Keyed by account: pending changes must not carry over to another account that signs in. */}
      <RecentProofMeans key={account.id} profile={account}>
        {children}
      </RecentProofMeans>
    </SettingsFrame>
  );
}

/** Shown in place of a page of the settings that could not be loaded. */
export function SettingsFailed({ title }: { readonly title: string }) {
  const { profile } = profileWords(useLanguage());
  return (
    <SettingsFrame title={title}>
      <LoadFailed title={profile.settingsFailed} text={profile.loadFailedText} />
    </SettingsFrame>
  );
}

function SettingsFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Page width="text" signedIn start={<BackLink to="/profile" />}>
      <div className="flex flex-col gap-6">
        <h1 className="font-bold text-3xl">{title}</h1>
        {children}
      </div>
    </Page>
  );
}
