import { useHydrated } from '#app/browser/use-hydrated.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { EmailField } from '#app/form/email-field.tsx';
import { NewPasswordField } from '#app/form/new-password-field.tsx';
import { PhoneField } from '#app/form/phone-field.tsx';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';
import type { DraftProps } from '../account-draft.ts';
import { LegalNote } from './register-notes.tsx';
import { useRegistration } from './use-registration.ts';

interface RegisterFormProps extends DraftProps {
  readonly qrId: string | null;
  /** The same route in sign-in mode. */
  readonly signInPath: string;
}

export function RegisterForm({ qrId, signInPath, draft, onDraft }: RegisterFormProps) {
  const { auth, authErrors } = useSignInTexts();
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
        enterKeyHint="next"
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
