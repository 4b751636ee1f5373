import { useState } from 'react';
import { showAccountToast } from '#app/lib/account/account-toast.ts';
import { EmailField } from '#app/lib/account/email-field.tsx';
import { explainAddressError } from '#app/lib/account/explain-auth-error.ts';
import { useForm } from '#app/lib/account/use-form.ts';
import { wordProblems } from '#app/lib/account/word-problems.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/form.tsx';
import { normalizeEmail, validateReset } from '#domain/validate-credentials.ts';
import type { DraftProps } from './account-draft.ts';

/** Asks for a link to a new password. What it answers is the same whether the address has an account or not. */
export function ResetForm({ draft, onDraft }: DraftProps) {
  const { auth, authErrors, toasts, validation } = useMessages();
  const [sent, setSent] = useState(false);
  const hydrated = useHydrated();

  const { frame, errors, edited, busy } = useForm({
    fields: ['email'],
    onTyped: onDraft,
    check: (form) => wordProblems(validateReset(form), validation),
    send: async ({ email }) => {
      setSent(false);
      const client = await browserClient();
      const { error } = await client.auth.resetPasswordForEmail(normalizeEmail(email), {
        redirectTo: `${location.origin}/auth?reset=true`,
      });
      if (error) {
        showAccountToast('failure', toasts.resetFailed);
        return explainAddressError(error, 'resetFailed', authErrors);
      }
      setSent(true);
      showAccountToast('success', toasts.resetSent);
      return null;
    },
  });

  return (
    <Form {...frame}>
      {sent && <Alert tone="info">{auth.resetSent}</Alert>}
      <EmailField defaultValue={draft.email} error={errors.email} onEdit={() => edited('email')} />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {busy ? auth.sendingResetLink : auth.sendResetLink}
      </Button>
    </Form>
  );
}
