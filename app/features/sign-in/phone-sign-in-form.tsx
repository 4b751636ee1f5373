import { useState } from 'react';
import { useHydrated } from '#app/browser/use-hydrated.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { explainAuthError } from '#app/form/explain-auth-error.ts';
import { PhoneField } from '#app/form/phone-field.tsx';
import { checkTypedPhone, readTypedPhone } from '#app/form/read-typed-phone.ts';
import { useForm } from '#app/form/use-form.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { CodeForm } from '#app/verification/code-form.tsx';
import { useExplainCode } from '#app/verification/use-explain-code.ts';
import { maskPhone } from '#domain/account/mask-phone.ts';

/** Signs in with a code to a proved number. Does not reveal whether an account has the number. */
export function PhoneSignInForm({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  const texts = useTexts();
  const { auth, authErrors } = texts;
  const hydrated = useHydrated();
  // E.164.
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [asksAgain, setAsksAgain] = useState(false);
  const { frame, errors, edited, busy } = useForm({
    fields: ['phone', 'country'],
    check: (form) => checkTypedPhone(form, texts),
    send: async (form) => {
      const phone = await readTypedPhone(form);
      if (phone === null) return { phone: auth.phoneInvalid };
      const client = await browserClient();
      const { error } = await client.auth.signInWithOtp({ phone, options: { shouldCreateUser: false } });
      if (error) return explainAuthError(error, 'unavailable', authErrors);
      setSentTo(phone);
      setAsksAgain(false);
      return null;
    },
  });

  if (sentTo !== null && !asksAgain) {
    return <SentCode phone={sentTo} onSignedIn={onSignedIn} onRequestAgain={() => setAsksAgain(true)} />;
  }
  return (
    <Form {...frame}>
      <PhoneField
        hint={auth.phoneSignInHint}
        error={errors.phone}
        onEdit={() => edited('phone')}
        defaultValue={sentTo ?? ''}
      />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {auth.sendSignInCode}
      </Button>
    </Form>
  );
}

interface SentCodeProps {
  /** E.164. */
  readonly phone: string;
  readonly onSignedIn: () => Promise<void>;
  /** Returns to the phone number, which may be mistyped, and requests another code. */
  readonly onRequestAgain: () => void;
}

function SentCode({ phone, onSignedIn, onRequestAgain }: SentCodeProps) {
  const { auth, verification } = useTexts();
  const { explain } = useExplainCode();
  const verify = async (code: string) => {
    const client = await browserClient();
    const { error } = await client.auth.verifyOtp({ phone, token: code, type: 'sms' });
    if (error) return explain(error);
    await onSignedIn();
    return null;
  };
  return (
    <div className="flex flex-col gap-5">
      <p className="text-ink-soft">{auth.phoneCodeSent(maskPhone(phone))}</p>
      <CodeForm label={verification.codeLabel} action={auth.signIn} acting={auth.signingIn} send={verify}>
        <Button variant="quiet" className="px-3! text-sm!" onClick={onRequestAgain}>
          {auth.resendOrChangeNumber}
        </Button>
      </CodeForm>
    </div>
  );
}
