import { useState } from 'react';
import { useHydrated } from '#app/browser/use-hydrated.ts';
import { showAccountToast } from '#app/client/account-toast.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { EmailField } from '#app/form/email-field.tsx';
import { explainAddressError, explainGap } from '#app/form/explain-auth-error.ts';
import { useForm, wordProblems } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { normalizeEmail, validateReset } from '#domain/account/validate-credentials.ts';
import type { DraftProps } from './account-draft.ts';

/** Requests a link for setting a new password. The response is the same whether or not the address has an account. */
export function ResetForm({ draft, onDraft }: DraftProps) {
  const { auth, authErrors, toasts, validation } = useSignInTexts();
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
        // A link may be on its way, so this is no failure.
        const gap = explainGap(error, authErrors);
        if (gap !== null) return gap;
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
      <EmailField enterKeyHint="send" defaultValue={draft.email} error={errors.email} onEdit={() => edited('email')} />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {busy ? auth.sendingResetLink : auth.sendResetLink}
      </Button>
    </Form>
  );
}
