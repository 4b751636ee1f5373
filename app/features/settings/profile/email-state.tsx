import { useId, useState } from 'react';
import { browserClient } from '#app/lib/browser-client.ts';
import type { Profile } from '#app/lib/profile.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { useRefreshOnReturn } from '#app/lib/use-refresh-on-return.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { QuietLine } from '#app/ui/quiet-line.tsx';
import { showToast } from '#app/ui/toasts.tsx';

interface EmailStateProps {
  readonly profile: Profile;
  /** An address that has not even reached the server. */
  readonly keptEmail: string | undefined;
}

/** Says which address nobody has proved, and which one waits for its link to be followed; sends that link again. */
export function EmailState({ profile, keptEmail }: EmailStateProps) {
  const { profile: texts } = useMessages();
  const { email, emailProved, pendingEmail, addressLost } = profile;
  return (
    <>
      {addressLost && <Alert tone="warning">{texts.addressLost}</Alert>}
      {!emailProved && email !== '' && (
        <Alert tone="warning" quiet>
          <SendAgain type="signup" email={email} text={texts.unproved(email)} />
        </Alert>
      )}
      {pendingEmail !== null && keptEmail === undefined && (
        <Alert tone="info" quiet>
          <SendAgain type="email_change" email={pendingEmail} text={texts.pendingEmail(pendingEmail)} />
        </Alert>
      )}
    </>
  );
}

/** Says in a line that the address is not confirmed, and sends its link again. */
export function UnprovedEmail({ email }: { readonly email: string }) {
  const { profile: texts } = useMessages();
  return (
    <QuietLine>
      <SendAgain type="signup" email={email} text={texts.unproved(email)} />
    </QuietLine>
  );
}

interface SendAgainProps {
  readonly type: 'email_change' | 'signup';
  readonly email: string;
  /** What the link is for. It tells one such button from the other. */
  readonly text: string;
}

function SendAgain({ type, email, text }: SendAgainProps) {
  const { profile: texts } = useMessages();
  const id = useId();
  const [busy, setBusy] = useState(false);
  useRefreshOnReturn();

  const send = async () => {
    setBusy(true);
    const { auth } = await browserClient();
    const { error } = await auth.resend({
      type,
      email,
      options: { emailRedirectTo: `${location.origin}/auth/callback` },
    });
    if (error) throw error;
    showToast('success', texts.sentAgain, { about: 'profile' });
  };

  return (
    <>
      <p id={id}>{text}</p>
      <Button
        variant="quiet"
        className="-ms-3 px-3! text-sm!"
        aria-describedby={id}
        busy={busy}
        onClick={() =>
          void send()
            .catch(() => showToast('failure', texts.sendAgainFailed, { about: 'profile' }))
            .finally(() => setBusy(false))
        }
      >
        {texts.sendAgain}
      </Button>
    </>
  );
}
