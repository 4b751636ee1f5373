import { useHydrated } from '#app/browser/use-hydrated.ts';
import { explainAuthError } from '#app/form/explain-auth-error.ts';
import { PhoneField } from '#app/form/phone-field.tsx';
import { checkTypedPhone, readTypedPhone } from '#app/form/read-typed-phone.ts';
import { useForm } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { maskPhone } from '#domain/account/mask-phone.ts';
import { SignInCode, useSignInCode } from './sign-in-code.tsx';

/** Signs in with a code to a proved number. Does not reveal whether an account has the number. */
export function PhoneSignInForm({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  const texts = useSignInTexts();
  const { auth, authErrors } = texts;
  const hydrated = useHydrated();
  const code = useSignInCode();
  const { sent, request } = code;
  const { frame, errors, edited, busy } = useForm({
    fields: ['phone', 'country'],
    check: (form) => checkTypedPhone(form, texts),
    send: async (form) => {
      const phone = await readTypedPhone(form);
      if (phone === null) return { phone: auth.phoneInvalid };
      const refused = await request({ phone });
      return refused && explainAuthError(refused, 'unavailable', authErrors);
    },
  });

  const known = sent !== null && 'phone' in sent.to ? sent.to.phone : '';
  const form = (
    <Form {...frame}>
      <PhoneField
        enterKeyHint="send"
        hint={auth.phoneSignInHint}
        error={errors.phone}
        onEdit={() => edited('phone')}
        defaultValue={known}
      />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {auth.sendSignInCode}
      </Button>
    </Form>
  );
  return (
    <SignInCode
      code={code}
      form={form}
      lead={<WithName of={auth.phoneCodeSent} name={maskPhone(known)} />}
      againLabel={auth.resendOrChangeNumber}
      onSignedIn={onSignedIn}
    />
  );
}
