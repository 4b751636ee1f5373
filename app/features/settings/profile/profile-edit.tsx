import { usePublicConfig } from '#app/client/public-config.ts';
import type { Profile } from '#app/data/profile.ts';
import { EmailField } from '#app/form/email-field.tsx';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form, FormActions } from '#app/ui/field/form.tsx';
import { profileWords } from '#words/profile.ts';
import { useProfileEdit } from './use-profile-edit.ts';

interface ProfileEditProps {
  readonly profile: Profile;
  readonly onDone: () => void;
}

export function ProfileEdit({ profile, onDone }: ProfileEditProps) {
  const { profile: texts } = profileWords(useLanguage());
  const { frame, errors, edited, busy, proofDialog } = useProfileEdit(profile, onDone);
  return (
    <>
      <Form {...frame}>
        <TextField
          label={texts.fullName}
          name="fullName"
          autoComplete="name"
          enterKeyHint="next"
          required
          maxLength={200}
          defaultValue={profile.fullName}
          onChange={() => edited('fullName')}
          error={errors.fullName}
        />
        {usePublicConfig().hasMail ? (
          <EmailField
            defaultValue={profile.pendingEmail ?? profile.email}
            hint={texts.emailEditHint}
            error={errors.email}
            onEdit={() => edited('email')}
          />
        ) : (
          <input type="hidden" name="email" value={profile.email} />
        )}
        <FormActions busy={busy} action={texts.save} acting={texts.saving} cancel={texts.cancel} onCancel={onDone} />
      </Form>
      {proofDialog}
    </>
  );
}
