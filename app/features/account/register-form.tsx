import { EmailField } from '#app/lib/account/email-field.tsx';
import { NewPasswordField } from '#app/lib/account/new-password-field.tsx';
import { PhoneField } from '#app/lib/account/phone-field.tsx';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/form.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { LegalNote } from './legal-note.tsx';
import { useRegistration } from './use-registration.ts';

export function RegisterForm({ qrId }: { readonly qrId: string | null }) {
  const { auth } = useMessages();
  const { codesGoBySms } = usePublicConfig();
  const { frame, errors, edited, busy } = useRegistration();
  const hydrated = useHydrated();
  return (
    <Form {...frame}>
      {qrId !== null && <input type="hidden" name="qrId" value={qrId} />}
      <TextField
        label={auth.fullName}
        name="fullName"
        autoComplete="name"
        required
        maxLength={200}
        onChange={() => edited('fullName')}
        error={errors.fullName}
      />
      <EmailField error={errors.email} onEdit={() => edited('email')} />
      <PhoneField
        hint={codesGoBySms ? auth.phoneHint : auth.phoneHintCodeByEmail}
        error={errors.phone}
        onEdit={() => edited('phone')}
      />
      <NewPasswordField label={auth.password} error={errors.password} onEdit={() => edited('password')} />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {busy ? auth.creatingAccount : auth.createAccount}
      </Button>
      <LegalNote />
    </Form>
  );
}
