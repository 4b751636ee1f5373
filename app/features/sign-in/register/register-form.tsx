import { EmailField } from '#app/lib/account/email-field.tsx';
import { NewPasswordField } from '#app/lib/account/new-password-field.tsx';
import { PhoneField } from '#app/lib/account/phone-field.tsx';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Form } from '#app/ui/form.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { DraftProps } from './account-draft.ts';
import { LegalNote } from './legal-note.tsx';
import { useRegistration } from './use-registration.ts';

interface RegisterFormProps extends DraftProps {
  readonly qrId: string | null;
  /** The same route, to sign in. */
  readonly signInPath: string;
}

export function RegisterForm({ qrId, signInPath, draft, onDraft }: RegisterFormProps) {
  const { auth, authErrors } = useMessages();
  const { codesGoBySms } = usePublicConfig();
  const { frame, errors, edited, busy } = useRegistration({ draft, onDraft });
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
        defaultValue={draft.fullName}
        onChange={() => edited('fullName')}
        error={errors.fullName}
      />
      <div className="flex flex-col gap-2">
        <EmailField defaultValue={draft.email} error={errors.email} onEdit={() => edited('email')} />
        {errors.email === authErrors.accountExists && (
          <LinkButton variant="outline" to={signInPath} className="self-start">
            {auth.signInWithThisEmail}
          </LinkButton>
        )}
      </div>
      <PhoneField
        hint={codesGoBySms ? auth.phoneHint : auth.phoneHintCodeByEmail}
        defaultValue={draft.phone}
        defaultCountry={draft.country}
        error={errors.phone}
        onEdit={() => edited('phone')}
      />
      <NewPasswordField
        label={auth.password}
        defaultValue={draft.password}
        error={errors.password}
        onEdit={() => edited('password')}
      />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {busy ? auth.creatingAccount : auth.createAccount}
      </Button>
      <LegalNote />
    </Form>
  );
}
