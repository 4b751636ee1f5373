import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { explainGap } from '#app/form/explain-auth-error.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { CodeForm } from '#app/verification/code-form.tsx';
import { useExplainCode } from '#app/verification/use-explain-code.ts';
import { maskPhone } from '#domain/account/mask-phone.ts';
import { NewPhoneForm } from './new-phone-form.tsx';

export interface PhoneChange {
  readonly open: boolean;
  /** The number that a code was sent to, in E.164; null where it is still to be entered. */
  readonly sentTo: string | null;
}

interface PhoneDialogProps extends PhoneChange {
  readonly userId: string;
  readonly title: string;
  readonly onChange: (change: PhoneChange) => void;
}

/** Changes the phone number. Where codes are sent by SMS, a code to the new number proves it first. */
export function PhoneDialog({ userId, title, open, sentTo, onChange }: PhoneDialogProps) {
  const { common, profile, toasts } = useTexts();
  const { revalidate } = useRevalidator();

  const done = async (text: string) => {
    showToast('success', text, { about: 'profile' });
    await revalidate();
    onChange({ open: false, sentTo });
  };
  const sent = async (phone: string) => {
    onChange({ open: true, sentTo: phone });
    // The profile behind the dialog then shows that the number waits for its code.
    await revalidate();
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => onChange({ open: isOpen, sentTo })}
      title={title}
      closeLabel={common.close}
    >
      {sentTo === null ? (
        <NewPhoneForm userId={userId} onSent={sent} onSaved={() => done(profile.updated)} />
      ) : (
        <PhoneCode phone={sentTo} onProved={() => done(toasts.verificationSuccessful)} />
      )}
    </Dialog>
  );
}

interface PhoneCodeProps {
  /** E.164. */
  readonly phone: string;
  readonly onProved: () => Promise<void>;
}

function PhoneCode({ phone, onProved }: PhoneCodeProps) {
  const { authErrors, profile, toasts, verification } = useTexts();
  const { explain, startAgain } = useExplainCode();
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
    if (error) {
      showToast('failure', explainGap(error, authErrors) ?? toasts.resendFailed, { about: 'profile' });
      return;
    }
    startAgain();
    showToast('success', verification.codeSentAgain, { about: 'profile' });
  };

  return (
    <>
      <p className="text-ink-soft">{profile.codeSentTo(maskPhone(phone))}</p>
      <CodeForm
        label={verification.codeLabel}
        action={verification.verify}
        acting={verification.verifying}
        send={verify}
      >
        <Button
          variant="quiet"
          className="px-3! text-sm!"
          busy={resending}
          onClick={() => {
            setResending(true);
            void resend()
              .catch(() => showToast('failure', toasts.resendFailed, { about: 'profile' }))
              .finally(() => setResending(false));
          }}
        >
          {verification.resend}
        </Button>
      </CodeForm>
    </>
  );
}
