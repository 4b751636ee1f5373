import { KeyRound } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { Refusal } from '#app/ui/refusal.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { generatePassword } from '#domain/generate-password.ts';
import { LegalNote } from './legal-note.tsx';
import { NO_PHONE, PhoneField } from './phone-field.tsx';
import { type TypedRegistration, useRegistration } from './use-registration.ts';

export function RegisterForm({ qrId }: { readonly qrId: string | null }) {
  const { auth } = useMessages();
  const [form, setForm] = useState<TypedRegistration>({ fullName: '', email: '', phone: NO_PHONE, password: '' });
  const [suggested, setSuggested] = useState(false);
  const [shown, setShown] = useState(false);
  const { submit, errors, clearError, formRef, refusal, busy } = useRegistration(qrId);
  const hydrated = useHydrated();

  const change = <Field extends keyof TypedRegistration>(field: Field, value: TypedRegistration[Field]) => {
    setForm((others) => ({ ...others, [field]: value }));
    clearError(field);
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(form);
  };

  const suggest = () => {
    change(
      'password',
      generatePassword((bytes) => crypto.getRandomValues(bytes)),
    );
    setSuggested(true);
    // So that it can be read, and kept where the browser does not offer to.
    setShown(true);
  };

  return (
    <form ref={formRef} method="post" noValidate onSubmit={onSubmit} className="flex flex-col gap-5">
      {refusal !== null && <Refusal text={refusal} />}
      <TextField
        label={auth.fullName}
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        value={form.fullName}
        onChange={(event) => change('fullName', event.target.value)}
        error={errors.fullName}
      />
      <TextField
        label={auth.email}
        type="email"
        name="email"
        autoComplete="username"
        required
        dir="ltr"
        placeholder={auth.emailPlaceholder}
        value={form.email}
        onChange={(event) => change('email', event.target.value)}
        error={errors.email}
      />
      <PhoneField value={form.phone} onChange={(phone) => change('phone', phone)} error={errors.phone} />
      <div className="flex flex-col gap-1">
        <PasswordField
          label={auth.password}
          showLabel={auth.showPassword}
          hideLabel={auth.hidePassword}
          hint={suggested ? auth.passwordSuggested : auth.passwordHint}
          name="password"
          autoComplete="new-password"
          required
          shown={shown}
          onShownChange={setShown}
          value={form.password}
          onChange={(event) => {
            change('password', event.target.value);
            setSuggested(false);
          }}
          error={errors.password}
        />
        <Button variant="quiet" onClick={suggest} className="self-start px-3! text-sm!">
          <KeyRound className="size-4" aria-hidden="true" />
          {auth.suggestPassword}
        </Button>
      </div>
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {busy ? auth.creatingAccount : auth.createAccount}
      </Button>
      <LegalNote />
    </form>
  );
}
