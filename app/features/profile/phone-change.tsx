import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { CodeForm } from '#app/lib/account/code-form.tsx';
import { explainAuthError } from '#app/lib/account/explain-auth-error.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import type { Profile } from '#app/lib/profile.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { maskPhone } from '#domain/mask-phone.ts';
import { NewPhoneForm } from './new-phone-form.tsx';

/** Changes the number: where codes go by SMS, one that is sent to the new number proves it first. */
export function PhoneChange({ profile }: { readonly profile: Profile }) {
  const { authErrors, common, profile: texts, toasts, verification } = useMessages();
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);

  const show = (isOpen: boolean) => {
    setOpen(isOpen);
    setSentTo(null);
  };
  const done = async (told: string) => {
    showToast('success', told, { about: 'profile' });
    await revalidate();
    show(false);
  };
  const verify = async (code: string) => {
    const { auth } = await browserClient();
    const { error } = await auth.verifyOtp({ phone: sentTo ?? '', token: code, type: 'phone_change' });
    if (error) return explainAuthError(error, 'invalidCode', authErrors);
    await done(toasts.verificationSuccessful);
    return null;
  };
  const action = profile.phone === null ? texts.addPhone : texts.changePhone;

  return (
    <>
      <Button variant="outline" onClick={() => show(true)}>
        {action}
      </Button>
      <Dialog open={open} onOpenChange={show} title={action} closeLabel={common.close}>
        {sentTo === null ? (
          <NewPhoneForm userId={profile.id} onSent={setSentTo} onSaved={() => done(texts.updated)} />
        ) : (
          <>
            <p className="text-ink-soft">{texts.codeSentTo(maskPhone(sentTo))}</p>
            <CodeForm
              label={verification.codeLabel}
              action={verification.verify}
              acting={verification.verifying}
              send={verify}
            />
          </>
        )}
      </Dialog>
    </>
  );
}
