import { useState } from 'react';
import { CodeForm } from '#app/lib/account/code-form.tsx';
import { explainAuthError } from '#app/lib/account/explain-auth-error.ts';
import { PhoneField } from '#app/lib/account/phone-field.tsx';
import { readTypedPhone } from '#app/lib/account/read-typed-phone.ts';
import { useForm } from '#app/lib/account/use-form.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/form.tsx';
import { maskPhone } from '#domain/mask-phone.ts';

/** Signs in with a code to a number that an account has proved. It does not tell whether one has. */
export function PhoneSignInForm({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  const { auth, authErrors, validation, verification } = useMessages();
  const hydrated = useHydrated();
  // E.164.
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { frame, errors, edited, busy } = useForm({
    fields: ['phone', 'country'],
    check: async (form) => {
      if (form.phone.trim() === '') return { phone: validation.phoneRequired };
      return (await readTypedPhone(form)) === null ? { phone: auth.phoneInvalid } : {};
    },
    send: async (form) => {
      const phone = await readTypedPhone(form);
      if (phone === null) return { phone: auth.phoneInvalid };
      const client = await browserClient();
      const { error } = await client.auth.signInWithOtp({ phone, options: { shouldCreateUser: false } });
      if (error) return explainAuthError(error, 'unavailable', authErrors);
      setSentTo(phone);
      return null;
    },
  });

  if (sentTo !== null) {
    const verify = async (code: string) => {
      const client = await browserClient();
      const { error } = await client.auth.verifyOtp({ phone: sentTo, token: code, type: 'sms' });
      if (error) return explainAuthError(error, 'codeNotChecked', authErrors);
      await onSignedIn();
      return null;
    };
    return (
      <div className="flex flex-col gap-5">
        <p className="text-ink-soft">{auth.phoneCodeSent(maskPhone(sentTo))}</p>
        <CodeForm label={verification.codeLabel} action={auth.signIn} acting={auth.signingIn} send={verify} />
      </div>
    );
  }
  return (
    <Form {...frame}>
      <PhoneField hint={auth.phoneSignInHint} error={errors.phone} onEdit={() => edited('phone')} />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {auth.sendSignInCode}
      </Button>
    </Form>
  );
}
