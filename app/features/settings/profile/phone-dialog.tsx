import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { explainAuthError } from '#app/form/explain-auth-error.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { CodeForm } from '#app/verification/code-form.tsx';
import { ResendButton } from '#app/verification/resend-button.tsx';
import { useSentCode } from '#app/verification/use-sent-code.ts';
import { maskPhone } from '#domain/account/mask-phone.ts';
import { profileWords } from '#words/profile.ts';
import { NewPhoneForm } from './new-phone-form.tsx';

export interface PhoneChange {
  readonly open: boolean;
  /** The number that a code was sent to, in E.164; null where it is still to be entered. */
  readonly sentTo: string | null;
  /** When it was sent, in milliseconds since the epoch; null where that was not done here. */
  readonly sentAt: number | null;
}

interface PhoneDialogProps extends PhoneChange {
  readonly userId: string;
  readonly title: string;
  readonly onChange: (change: PhoneChange) => void;
}

/** Changes the phone number. Where codes are sent by SMS, a code to the new number proves it first. */
export function PhoneDialog({ userId, title, open, sentTo, sentAt, onChange }: PhoneDialogProps) {
  const { common, emailTrouble, toasts } = useSignInTexts();
  const { revalidate } = useRevalidator();

  const done = async (text: string) => {
    showToast('success', text, { about: 'profile' });
    await revalidate();
    onChange({ open: false, sentTo, sentAt });
  };
  const sent = async (phone: string) => {
    onChange({ open: true, sentTo: phone, sentAt: Date.now() });
    // The profile behind the dialog then shows that the number waits for its code.
    await revalidate();
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => onChange({ open: isOpen, sentTo, sentAt })}
      title={title}
      closeLabel={common.close}
    >
      {sentTo === null ? (
        <NewPhoneForm userId={userId} onSent={sent} onSaved={() => done(emailTrouble.updated)} />
      ) : (
        <PhoneCode
          phone={sentTo}
          sentAt={sentAt}
          onSentAgain={() => onChange({ open: true, sentTo, sentAt: Date.now() })}
          onProved={() => done(toasts.verificationSuccessful)}
        />
      )}
    </Dialog>
  );
}

interface PhoneCodeProps {
  /** E.164. */
  readonly phone: string;
  readonly sentAt: number | null;
  readonly onSentAgain: () => void;
  readonly onProved: () => Promise<void>;
}

function PhoneCode({ phone, onSentAgain, onProved, ...firstSent }: PhoneCodeProps) {
  const { authErrors, verification } = useSignInTexts();
  const { profile } = profileWords(useLanguage());
  const { sentAt, secondsLeft, explain, requested } = useSentCode(firstSent.sentAt);
  const [resending, setResending] = useState(false);

  const verify = async (code: string) => {
    const { auth } = await browserClient();
    const { error } = await auth.verifyOtp({ phone, token: code, type: 'phone_change' });
    // Only the holder of the number learns that another account has it.
    if (error?.code === 'phone_exists') return profile.phoneTaken;
    if (error) return explain(error);
    await onProved();
    return null;
  };
  const resend = async () => {
    const { auth } = await browserClient();
    const { error } = await auth.resend({ type: 'phone_change', phone });
    requested(error);
    if (error) return showToast('failure', explainAuthError(error, 'codeNotSent', authErrors), { about: 'profile' });
    onSentAgain();
    showToast('success', verification.codeSentAgain, { about: 'profile' });
  };

  return (
    <>
      <p className="text-ink-soft">
        <WithName of={profile.codeSentTo} name={maskPhone(phone)} />
      </p>
      <CodeForm
        key={sentAt}
        label={verification.codeLabel}
        action={verification.verify}
        acting={verification.verifying}
        send={verify}
      >
        <ResendButton
          secondsLeft={secondsLeft}
          busy={resending}
          onResend={() => {
            setResending(true);
            void resend()
              .catch(() => showToast('failure', authErrors.codeNotSent, { about: 'profile' }))
              .finally(() => setResending(false));
          }}
        />
      </CodeForm>
    </>
  );
}
