import { BadgeCheck, Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Profile } from '#app/data/profile.ts';
import type { UnsentProfileChange } from '#app/data/unsent-profile-change.ts';
import { useUnsentChange } from '#app/data/unsent-profile-change.ts';
import { useFormInPlace } from '#app/form/use-form-in-place.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { useLazyDialog } from '#app/ui/use-lazy-dialog.ts';
import { WithName } from '#app/ui/with-name.tsx';
import { profileWords } from '#words/profile.ts';
import { EmailState } from './email-trouble-line.tsx';
import type { PhoneChange } from './phone-dialog.tsx';

const loadPhoneDialog = loadOnce(async () => (await import('./phone-dialog.tsx')).PhoneDialog);
const loadProfileEdit = loadOnce(async () => (await import('./profile-edit.tsx')).ProfileEdit);

/** Shows and edits the account's name and contact details. */
export function ProfileDetails({ profile }: { readonly profile: Profile }) {
  const { common } = useTexts();
  const { profile: texts } = profileWords(useLanguage());
  const { isOpen, open, close, opener, placeId } = useFormInPlace();
  const [phoneChange, setPhoneChange] = useState<PhoneChange>({ open: false, sentTo: null, sentAt: null });
  const unsent = useUnsentChange(profile.id);
  const shown = withUnsent(profile, unsent);
  const { fullName, email, emailProved, phone, phoneVerified, pendingPhone } = shown;
  const notices = { failure: common.anErrorOccurred, missing: common.partMissing, about: 'profile' };
  const ProfileEdit = useLazyDialog(loadProfileEdit, { open: isOpen, onOpenChange: close, ...notices });
  const PhoneDialog = useLazyDialog(loadPhoneDialog, {
    open: phoneChange.open,
    onOpenChange: (isShown) => setPhoneChange({ ...phoneChange, open: isShown }),
    ...notices,
  });
  const phoneAction = phone === null ? texts.addPhone : texts.changePhone;

  return (
    <Card id={placeId} className="flex flex-col gap-5">
      {unsent !== null && <Alert tone="info">{texts.waiting}</Alert>}
      {isOpen && ProfileEdit !== null ? (
        <ProfileEdit profile={shown} onDone={close} />
      ) : (
        <>
          <dl className="grid gap-4 sm:grid-cols-2">
            <Detail name={texts.fullName}>
              {fullName === '' ? common.defaultUserName : <bdi translate="no">{fullName}</bdi>}
            </Detail>
            <Detail name={texts.email}>
              {email === '' ? texts.none : <Proved isProved={emailProved}>{email}</Proved>}
            </Detail>
            <Detail name={texts.phone}>
              {phone === null ? texts.none : <Proved isProved={phoneVerified}>{phone}</Proved>}
            </Detail>
            <Detail name={texts.taggedItems}>{profile.taggedItems}</Detail>
          </dl>
          <EmailState profile={profile} unsentEmail={unsent?.email} />
          {pendingPhone !== null && (
            <Alert tone="info" quiet>
              <p>
                <WithName of={texts.pendingPhone} name={pendingPhone} />
              </p>
              <Button
                variant="quiet"
                className="-ms-3 px-3! text-sm!"
                onClick={() => {
                  const sentAt = phoneChange.sentTo === pendingPhone ? phoneChange.sentAt : null;
                  setPhoneChange({ open: true, sentTo: pendingPhone, sentAt });
                }}
              >
                {texts.enterCode}
              </Button>
            </Alert>
          )}
          <div className="flex flex-wrap gap-3">
            <Button ref={opener} variant="outline" busy={isOpen} onClick={open}>
              {!isOpen && <Pencil className="size-5" aria-hidden="true" />}
              {texts.edit}
            </Button>
            <Button variant="outline" onClick={() => setPhoneChange({ open: true, sentTo: null, sentAt: null })}>
              {phoneAction}
            </Button>
          </div>
          {PhoneDialog !== null && (
            <PhoneDialog {...phoneChange} userId={profile.id} title={phoneAction} onChange={setPhoneChange} />
          )}
        </>
      )}
    </Card>
  );
}

function withUnsent(profile: Profile, unsent: UnsentProfileChange | null): Profile {
  return {
    ...profile,
    fullName: unsent?.fullName ?? profile.fullName,
    pendingEmail: unsent?.email ?? profile.pendingEmail,
  };
}

interface ProvedProps {
  readonly isProved: boolean;
  readonly children: string;
}

/** An address or a number, and whether it is proved. */
function Proved({ isProved, children }: ProvedProps) {
  const { profile: texts } = profileWords(useLanguage());
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <bdi translate="no" dir="ltr" className="wrap-anywhere">
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
