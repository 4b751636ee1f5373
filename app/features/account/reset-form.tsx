import { type SubmitEvent, useState } from 'react';
import { browserClient } from '#app/lib/browser-client.ts';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { Refusal } from '#app/ui/refusal.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { useFieldProblems } from '#app/ui/use-field-problems.ts';
import { type CredentialProblem, normalizeEmail, validateReset } from '#domain/validate-credentials.ts';
import { showAccountToast } from './account-toast.ts';
import { explainAuthError } from './explain-auth-error.ts';

/** Asks for a link to a new password. What it answers is the same whether the address has an account or not. */
export function ResetForm() {
  const { auth, authErrors, toasts, validation } = useMessages();
  const [email, setEmail] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();
  const { problems, setProblems, clearProblem, formRef } = useFieldProblems<'email', CredentialProblem>();

  const requestLink = async () => {
    const client = await browserClient();
    const { error } = await client.auth.resetPasswordForEmail(normalizeEmail(email), {
      redirectTo: `${location.origin}/auth?reset=true`,
    });
    if (error) {
      setRefusal(explainAuthError(error, 'resetFailed', authErrors));
      showAccountToast('failure', toasts.resetFailed);
      return;
    }
    setSent(true);
    showAccountToast('success', toasts.resetSent);
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = validateReset({ email });
    setProblems(found);
    setRefusal(null);
    setSent(false);
    if (found.email !== undefined) return;
    setBusy(true);
    await requestLink()
      .catch(() => setRefusal(authErrors.unreachable))
      .finally(() => setBusy(false));
  };

  return (
    <form
      ref={formRef}
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-5"
    >
      {refusal !== null && <Refusal text={refusal} />}
      {sent && <Alert tone="info">{auth.resetSent}</Alert>}
      <TextField
        label={auth.email}
        type="email"
        name="email"
        autoComplete="username"
        required
        dir="ltr"
        placeholder={auth.emailPlaceholder}
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
          clearProblem('email');
        }}
        error={problems.email && validation[problems.email]}
      />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {busy ? auth.sendingResetLink : auth.sendResetLink}
      </Button>
    </form>
  );
}
