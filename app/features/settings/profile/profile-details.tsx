import { BadgeCheck, Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { KeptProfileChange } from '#app/lib/kept-profile-change.ts';
import type { Profile } from '#app/lib/profile.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { EmailState } from './email-state.tsx';
import { type PhoneChange, PhoneDialog } from './phone-dialog.tsx';
import { ProfileEdit } from './profile-edit.tsx';
import { useKeptChange } from './use-kept-change.ts';

/** Who the account is, to look at and to change. */
export function ProfileDetails({ profile }: { readonly profile: Profile }) {
  const { common, profile: texts } = useMessages();
  const [editing, setEditing] = useState(false);
  const [phoneChange, setPhoneChange] = useState<PhoneChange>({ open: false, sentTo: null });
  const kept = useKeptChange(profile.id);
  const shown = withKept(profile, kept);
  const { fullName, email, emailProved, phone, phoneVerified, pendingPhone } = shown;
  const phoneAction = phone === null ? texts.addPhone : texts.changePhone;

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
              {email === '' ? texts.none : <Proved isProved={emailProved}>{email}</Proved>}
            </Detail>
            <Detail name={texts.phone}>
              {phone === null ? texts.none : <Proved isProved={phoneVerified}>{phone}</Proved>}
            </Detail>
            <Detail name={texts.taggedItems}>{profile.taggedItems}</Detail>
          </dl>
          <EmailState profile={profile} keptEmail={kept?.email} />
          {pendingPhone !== null && (
            <Alert tone="info" quiet>
              <p>{texts.pendingPhone(pendingPhone)}</p>
              <Button
                variant="quiet"
                className="-ms-3 px-3! text-sm!"
                onClick={() => setPhoneChange({ open: true, sentTo: pendingPhone })}
              >
                {texts.enterCode}
              </Button>
            </Alert>
          )}
          <div className="flex flex-wrap gap-3">
            <Button variant="outline" onClick={() => setEditing(true)}>
              <Pencil className="size-5" aria-hidden="true" />
              {texts.edit}
            </Button>
            <Button variant="outline" onClick={() => setPhoneChange({ open: true, sentTo: null })}>
              {phoneAction}
            </Button>
          </div>
          <PhoneDialog {...phoneChange} userId={profile.id} title={phoneAction} onChange={setPhoneChange} />
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

interface ProvedProps {
  readonly isProved: boolean;
  readonly children: string;
}

/** An address or a number, and whether anybody has shown that it is theirs. */
function Proved({ isProved, children }: ProvedProps) {
  const { profile: texts } = useMessages();
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <bdi dir="ltr" className="wrap-anywhere">
        {children}
      </bdi>
      <span className="inline-flex items-center gap-1 text-ink-soft text-sm">
        {isProved && <BadgeCheck className="size-4 text-primary" aria-hidden="true" />}
        {isProved ? texts.verified : texts.notVerified}
      </span>
    </span>
  );
}

function Detail({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-soft text-sm">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}
