import { useRef, useState } from 'react';
import { showAccountToast } from '#app/lib/account/account-toast.ts';
import { explainPasswordError } from '#app/lib/account/explain-password-error.ts';
import { NewPasswordField } from '#app/lib/account/new-password-field.tsx';
import { SecondFactorForm } from '#app/lib/account/second-factor-form.tsx';
import { useForm } from '#app/lib/account/use-form.ts';
import { wordProblems } from '#app/lib/account/word-problems.ts';
import type { AppClient } from '#app/lib/app-client.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { owesSecondFactor } from '#app/lib/session.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/form.tsx';
import { validateNewPassword } from '#domain/validate-credentials.ts';

interface NewPasswordFormProps {
  /** From the link in the e-mail; spent when the form is sent, and not before. Null where there is a session instead. */
  readonly tokenHash: string | null;
  readonly onExpired: () => void;
  readonly onSaved: () => Promise<void>;
}

/** Takes a new password, which signs out every other session. */
export function NewPasswordForm({ tokenHash, onExpired, onSaved }: NewPasswordFormProps) {
  const messages = useMessages();
  const { newPassword, validation } = messages;
  // The link works once; a password that is refused after it is followed by another one in the same session.
  const proof = useRef(tokenHash);
  const [waiting, setWaiting] = useState<string | null>(null);

  const save = async (client: AppClient, password: string) => {
    const { error } = await client.auth.updateUser({ password });
    if (error) return explainPasswordError(error, 'passwordFailed', messages);
    await client.auth.signOut({ scope: 'others' });
    showAccountToast('success', newPassword.saved);
    await onSaved();
    return null;
  };

  const { frame, errors, edited, refuse, busy } = useForm({
    fields: ['password'],
    check: (form) => wordProblems(validateNewPassword(form), validation),
    send: async ({ password }) => {
      const client = await browserClient();
      if (proof.current !== null) {
        const { error } = await client.auth.verifyOtp({ token_hash: proof.current, type: 'recovery' });
        if (error?.code === 'otp_expired') {
          onExpired();
          return null;
        }
        if (error) return explainPasswordError(error, 'passwordFailed', messages);
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
