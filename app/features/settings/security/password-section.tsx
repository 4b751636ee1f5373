import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { CurrentPasswordField } from '#app/lib/account/current-password-field.tsx';
import { explainPasswordError } from '#app/lib/account/explain-password-error.ts';
import { NewPasswordField } from '#app/lib/account/new-password-field.tsx';
import { useRecentProof } from '#app/lib/account/recent-proof.tsx';
import { useForm } from '#app/lib/account/use-form.ts';
import { wordProblems } from '#app/lib/account/word-problems.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import type { Profile } from '#app/lib/profile.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Form } from '#app/ui/form.tsx';
import { FormActions } from '#app/ui/form-actions.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { validateNewPassword } from '#domain/validate-credentials.ts';

/** Another password, or the first one of an account that has none. */
export function PasswordSection({ profile }: { readonly profile: Profile }) {
  const { security } = useMessages();
  const [open, setOpen] = useState(profile.needsPassword);
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h3 className="font-semibold text-lg">{security.password}</h3>
        <p className="text-ink-soft text-sm">
          {profile.hasPassword ? security.passwordText : security.passwordMissing}
        </p>
      </div>
      {open ? (
        <PasswordForm profile={profile} onDone={() => setOpen(false)} />
      ) : (
        <Button variant="outline" className="self-start" onClick={() => setOpen(true)}>
          {security.changePassword}
        </Button>
      )}
    </Card>
  );
}

interface PasswordFormProps {
  readonly profile: Profile;
  readonly onDone: () => void;
}

function PasswordForm({ profile, onDone }: PasswordFormProps) {
  const messages = useMessages();
  const { newPassword, profile: texts, security, validation } = messages;
  const { revalidate } = useRevalidator();
  const { withRecentProof, proofDialog } = useRecentProof();
  const asksForCurrent = profile.hasPassword;

  const { frame, errors, edited, busy } = useForm({
    fields: ['current', 'password'],
    check: ({ current, password }) => ({
      ...(asksForCurrent && current === '' && { current: validation.passwordRequired }),
      ...wordProblems(validateNewPassword({ password }), validation),
    }),
    send: async ({ current, password }) => {
      const { auth } = await browserClient();
      const { error } = await withRecentProof(() =>
        auth.updateUser({ password, ...(asksForCurrent && { current_password: current }) }),
      );
      if (error?.code === 'current_password_invalid') return { current: security.currentPasswordWrong };
      if (error) return explainPasswordError(error, 'passwordFailed', messages);
      showToast('success', security.passwordChanged, { about: 'security' });
      await revalidate();
      onDone();
      return null;
    },
  });

  return (
    <>
      <Form {...frame}>
        {/* Tells a password manager whose password it is. */}
        <input type="email" autoComplete="username" value={profile.email} readOnly hidden />
        {asksForCurrent && (
          <CurrentPasswordField
            label={security.currentPassword}
            name="current"
            error={errors.current}
            onEdit={() => edited('current')}
          />
        )}
        <NewPasswordField label={security.newPassword} error={errors.password} onEdit={() => edited('password')} />
        <FormActions
          busy={busy}
          action={newPassword.save}
          acting={newPassword.saving}
          cancel={texts.cancel}
          onCancel={onDone}
        />
      </Form>
      {proofDialog}
    </>
  );
}
