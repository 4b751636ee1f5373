import { EmailField } from '#app/lib/account/email-field.tsx';
import type { Profile } from '#app/lib/profile.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/form.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { useProfileEdit } from './use-profile-edit.ts';

interface ProfileEditProps {
  readonly profile: Profile;
  readonly onDone: () => void;
}

export function ProfileEdit({ profile, onDone }: ProfileEditProps) {
  const { profile: texts } = useMessages();
  const { frame, errors, edited, busy } = useProfileEdit(profile, onDone);
  return (
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
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} className="flex-1">
          {busy ? texts.saving : texts.save}
        </Button>
        <Button variant="outline" disabled={busy} onClick={onDone} className="flex-1">
          {texts.cancel}
        </Button>
      </div>
    </Form>
  );
}
