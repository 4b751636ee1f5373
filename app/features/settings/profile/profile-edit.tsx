import { EmailField } from '#app/lib/account/email-field.tsx';
import type { Profile } from '#app/lib/profile.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Form } from '#app/ui/form.tsx';
import { FormActions } from '#app/ui/form-actions.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { useProfileEdit } from './use-profile-edit.ts';

interface ProfileEditProps {
  readonly profile: Profile;
  readonly onDone: () => void;
}

export function ProfileEdit({ profile, onDone }: ProfileEditProps) {
  const { profile: texts } = useMessages();
  const { frame, errors, edited, busy, proofDialog } = useProfileEdit(profile, onDone);
  return (
    <>
      <Form {...frame}>
        <TextField
          label={texts.fullName}
          name="fullName"
          autoComplete="name"
          autoFocus
          required
          maxLength={200}
          defaultValue={profile.fullName}
          onChange={() => edited('fullName')}
          error={errors.fullName}
        />
        <EmailField
          defaultValue={profile.pendingEmail ?? profile.email}
          hint={texts.emailEditHint}
          error={errors.email}
          onEdit={() => edited('email')}
        />
        <FormActions busy={busy} action={texts.save} acting={texts.saving} cancel={texts.cancel} onCancel={onDone} />
      </Form>
      {proofDialog}
    </>
  );
}
