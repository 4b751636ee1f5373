import { BadgeCheck, Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { KeptProfileChange } from '#app/lib/kept-profile-change.ts';
import type { Profile } from '#app/lib/profile.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { EmailState } from './email-state.tsx';
import { PhoneChange } from './phone-change.tsx';
import { ProfileEdit } from './profile-edit.tsx';
import { useKeptChange } from './use-kept-change.ts';

/** Who the account is, to look at and to change. */
export function ProfileDetails({ profile }: { readonly profile: Profile }) {
  const { common, profile: texts } = useMessages();
  const [editing, setEditing] = useState(false);
  const kept = useKeptChange(profile.id);
  const shown = withKept(profile, kept);
  const { fullName, phone, phoneVerified } = shown;

  return (
    <Card className="flex flex-col gap-5">
      {kept !== null && <Alert tone="info">{texts.waiting}</Alert>}
      {editing ? (
        <ProfileEdit profile={shown} onDone={() => setEditing(false)} />
      ) : (
        <>
          <dl className="grid gap-4 sm:grid-cols-2">
            <Detail name={texts.fullName}>{fullName === '' ? common.defaultUserName : fullName}</Detail>
            <Detail name={texts.email}>
              <span dir="ltr" className="wrap-anywhere">
                {profile.email === '' ? texts.none : profile.email}
              </span>
            </Detail>
            <Detail name={texts.phone}>
              {phone === null ? (
                texts.none
              ) : (
                <span className="flex flex-wrap items-center gap-x-2">
                  <bdi dir="ltr">{phone}</bdi>
                  <span className="inline-flex items-center gap-1 text-ink-soft text-sm">
                    {phoneVerified && <BadgeCheck className="size-4 text-primary" aria-hidden="true" />}
                    {phoneVerified ? texts.verified : texts.notVerified}
                  </span>
                </span>
              )}
            </Detail>
            <Detail name={texts.taggedItems}>{profile.taggedItems}</Detail>
          </dl>
          <EmailState profile={profile} keptEmail={kept?.email} />
          <div className="flex flex-wrap gap-3">
            <Button variant="outline" onClick={() => setEditing(true)}>
              <Pencil className="size-5" aria-hidden="true" />
              {texts.edit}
            </Button>
            <PhoneChange profile={profile} />
          </div>
        </>
      )}
    </Card>
  );
}

function withKept(profile: Profile, kept: KeptProfileChange | null): Profile {
  return {
    ...profile,
    fullName: kept?.fullName ?? profile.fullName,
    pendingEmail: kept?.email ?? profile.pendingEmail,
  };
}

function Detail({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-soft text-sm">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}
