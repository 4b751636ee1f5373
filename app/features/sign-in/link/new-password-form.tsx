import { useRef, useState } from 'react';
import { showAccountToast } from '#app/client/account-toast.ts';
import type { AppClient } from '#app/client/app-client.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { owesSecondFactor } from '#app/client/current-session.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { explainPasswordError } from '#app/form/explain-auth-error.ts';
import { NewPasswordField } from '#app/form/new-password-field.tsx';
import { useForm, wordProblems } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { SecondFactorForm } from '#app/verification/second-factor-form.tsx';
import { validateNewPassword } from '#domain/account/validate-credentials.ts';

interface NewPasswordFormProps {
  /** From the link in the email; spent only when the form is sent. Null where there is a session instead. */
  readonly tokenHash: string | null;
  readonly onExpired: () => void;
  readonly onSaved: () => Promise<void>;
}

/** Sets a new password, which signs out all other sessions. */
export function NewPasswordForm({ tokenHash, onExpired, onSaved }: NewPasswordFormProps) {
  const texts = useSignInTexts();
  const { newPassword, validation } = texts;
  const { passwordLength } = usePublicConfig();
  // The link works once. After a refused password, the next one is sent in the same session.
  const proof = useRef(tokenHash);
  const [waiting, setWaiting] = useState<string | null>(null);

  const save = async (client: AppClient, password: string) => {
    const { error } = await client.auth.updateUser({ password });
    if (error) return explainPasswordError(error, 'passwordFailed', texts);
    await client.auth.signOut({ scope: 'others' });
    showAccountToast('success', newPassword.saved);
    await onSaved();
    return null;
  };

  const { frame, errors, edited, refuse, busy } = useForm({
    fields: ['password'],
    check: (form) => wordProblems(validateNewPassword(form, passwordLength), validation, passwordLength),
    send: async ({ password }) => {
      const client = await browserClient();
      if (proof.current !== null) {
        const { error } = await client.auth.verifyOtp({ token_hash: proof.current, type: 'recovery' });
        if (error?.code === 'otp_expired') {
          onExpired();
          return null;
        }
        if (error) return explainPasswordError(error, 'passwordFailed', texts);
        proof.current = null;
      }
      if (await owesSecondFactor()) {
        setWaiting(password);
        return null;
      }
      return save(client, password);
    },
  });

  if (waiting !== null) {
    return (
      <SecondFactorForm
        onProved={async () => {
          const refused = await save(await browserClient(), waiting);
          if (refused === null) return;
          setWaiting(null);
          refuse(refused);
        }}
      />
    );
  }
  return (
    <Form {...frame}>
      <NewPasswordField label={newPassword.label} error={errors.password} onEdit={() => edited('password')} />
      <Button type="submit" size="large" wide busy={busy}>
        {busy ? newPassword.saving : newPassword.save}
      </Button>
    </Form>
  );
}
