import { type SubmitEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { browserClient } from '#app/lib/browser-client.ts';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { Refusal } from '#app/ui/refusal.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { useFieldProblems } from '#app/ui/use-field-problems.ts';
import { type CredentialProblem, normalizeEmail, validateSignIn } from '#domain/validate-credentials.ts';
import { showAccountToast } from './account-toast.ts';
import { authModePath } from './auth-path.ts';
import { explainAuthError } from './explain-auth-error.ts';
import { storePendingVerification } from './pending-verification.ts';

interface SignInFormProps {
  readonly qrId: string | null;
  readonly routeCode: string | undefined;
}

export function SignInForm({ qrId, routeCode }: SignInFormProps) {
  const { auth, authErrors, toasts, validation } = useMessages();
  const navigate = useNavigate();
  const [form, setForm] = useState({ email: '', password: '' });
  const [shown, setShown] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();
  const { problems, setProblems, clearProblem, formRef } = useFieldProblems<'email' | 'password', CredentialProblem>();

  const change = (field: 'email' | 'password', value: string) => {
    setForm((others) => ({ ...others, [field]: value }));
    clearProblem(field);
  };

  const signIn = async () => {
    const client = await browserClient();
    const email = normalizeEmail(form.email);
    const { error } = await client.auth.signInWithPassword({ email, password: form.password });
    if (error?.code === 'email_not_confirmed' || error?.code === 'phone_not_confirmed') {
      // The password was right, so this is the owner of an account that still waits for its code.
      await client.auth.resend({ type: 'signup', email });
      storePendingVerification({ email, phone: null, qrId, sentAt: Date.now() });
      return;
    }
    if (error) {
      setRefusal(explainAuthError(error, 'loginFailed', authErrors));
      showAccountToast('failure', toasts.signInFailed);
      return;
    }
    showAccountToast('success', toasts.signedIn);
    await navigate(qrId === null ? '/dashboard' : `/item/${qrId}`, { replace: true, viewTransition: true });
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = validateSignIn(form);
    setProblems(found);
    setRefusal(null);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    await signIn()
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
      <TextField
        label={auth.email}
        type="email"
        name="email"
        autoComplete="username"
        required
        dir="ltr"
        placeholder={auth.emailPlaceholder}
        value={form.email}
        onChange={(event) => change('email', event.target.value)}
        error={problems.email && validation[problems.email]}
      />
      <PasswordField
        label={auth.password}
        showLabel={auth.showPassword}
        hideLabel={auth.hidePassword}
        name="password"
        shown={shown}
        onShownChange={setShown}
        autoComplete="current-password"
        required
        value={form.password}
        onChange={(event) => change('password', event.target.value)}
        error={problems.password && validation[problems.password]}
        aside={
          <Link
            className="-my-2 py-2 font-medium text-primary text-sm hover:underline"
            to={authModePath(routeCode, 'reset')}
          >
            {auth.forgotPassword}
          </Link>
        }
      />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {busy ? auth.signingIn : auth.signIn}
      </Button>
      <p className="text-center text-ink-soft text-sm">
        {auth.noAccountYet}{' '}
        <Link
          className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
          to={authModePath(routeCode, 'register')}
        >
          {auth.signUp}
        </Link>
      </p>
    </form>
  );
}
