import { useId } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import type { EmailTrouble, Profile } from '#app/data/profile.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { useRefreshOnReturn } from '#app/resilience/use-refresh-on-return.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';
import { useSendLink } from '#app/verification/use-send-link.ts';
import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';

interface EmailStateProps {
  readonly profile: Profile;
  /** An address that has not been sent to the server yet. */
  readonly unsentEmail: string | undefined;
}

/** Shows an unproved address and a pending one, and sends their links again. */
export function EmailState({ profile, unsentEmail }: EmailStateProps) {
  const { emailTrouble: texts } = useTexts();
  const { hasMail } = usePublicConfig();
  const { email, emailProved, emailRefused, unprovedNotices, pendingEmail, addressLost, isNamedByLostAddress } =
    profile;
  if (!hasMail) return null;
  return (
    <>
      {addressLost && <Alert tone="warning">{isNamedByLostAddress ? texts.onlyAddressLost : texts.addressLost}</Alert>}
      {emailRefused && (
        <Alert tone="warning" quiet>
          <p className="wrap-anywhere">{texts.emailRefused(email)}</p>
        </Alert>
      )}
      {!emailProved && email !== '' && (
        <Alert tone="warning" quiet>
          <Unproved email={email} unprovedNotices={unprovedNotices} />
        </Alert>
      )}
      {pendingEmail !== null && unsentEmail === undefined && (
        <Alert tone="info" quiet>
          <SendAgain type="email_change" email={pendingEmail} text={texts.pendingEmail(pendingEmail)} />
        </Alert>
      )}
    </>
  );
}

/** Says in one line that emails do not reach the owner, and leads to where the address is changed. */
export function EmailRefusedLine({ email }: { readonly email: string }) {
  const { emailTrouble: texts } = useTexts();
  return (
    <QuietLine>
      <p className="wrap-anywhere">{texts.emailRefused(email)}</p>
      <LinkButton variant="quiet" className="-ms-3 min-h-11! px-3! text-sm! sm:ms-0" to="/profile">
        {texts.changeEmail}
      </LinkButton>
    </QuietLine>
  );
}

/** Shows in one line why emails about messages are not sent, and how to fix it. */
export function EmailTroubleLine({ email, unprovedNotices }: EmailTrouble) {
  const { emailTrouble: texts } = useTexts();
  return (
    <QuietLine>
      {email === null ? (
        <>
          <p>{texts.noEmail}</p>
          <LinkButton variant="quiet" className="-ms-3 min-h-11! px-3! text-sm! sm:ms-0" to="/profile">
            {texts.addEmail}
          </LinkButton>
        </>
      ) : (
        <Unproved email={email} unprovedNotices={unprovedNotices} />
      )}
    </QuietLine>
  );
}

function Unproved({ email, unprovedNotices }: { readonly email: string; readonly unprovedNotices: number }) {
  const { emailTrouble: texts } = useTexts();
  const left = UNPROVED_NOTICES - unprovedNotices;
  const text =
    left > 0
      ? texts.unproved({ left, email })
      : texts.unprovedStopped({ email, sent: UNPROVED_NOTICES, missed: unprovedNotices - UNPROVED_NOTICES });
  return <SendAgain type="signup" email={email} text={text} />;
}

interface SendAgainProps {
  readonly type: 'email_change' | 'signup';
  readonly email: string;
  /** What the link is for. It distinguishes the buttons. */
  readonly text: string;
}

function SendAgain({ type, email, text }: SendAgainProps) {
  const id = useId();
  const { send, busy, label } = useSendLink(type, email);
  useRefreshOnReturn();

  return (
    <>
      <p id={id} className="wrap-anywhere">
        {text}
      </p>
      <Button variant="quiet" className="-ms-3 px-3! text-sm!" aria-describedby={id} busy={busy} onClick={send}>
        {label}
      </Button>
    </>
  );
}
