import { Link } from 'react-router';
import { dismissAccountToast, showAccountToast } from '#app/lib/account/account-toast.ts';
import { CurrentPasswordField } from '#app/lib/account/current-password-field.tsx';
import { EmailField } from '#app/lib/account/email-field.tsx';
import { explainAuthError } from '#app/lib/account/explain-auth-error.ts';
import { useForm } from '#app/lib/account/use-form.ts';
import { wordProblems } from '#app/lib/account/word-problems.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { useHydrated } from '#app/lib/use-hydrated.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/form.tsx';
import { normalizeEmail, validateSignIn } from '#domain/validate-credentials.ts';
import type { DraftProps } from './account-draft.ts';
import { authModePath } from './auth-path.ts';
import { storePendingVerification } from './pending-verification.ts';

interface SignInFormProps extends DraftProps {
  readonly qrId: string | null;
  readonly routeCode: string | undefined;
  /** The password was right. A second factor may still be owed. */
  readonly onSignedIn: () => Promise<void>;
}

export function SignInForm({ qrId, routeCode, draft, onDraft, onSignedIn }: SignInFormProps) {
  const { auth, authErrors, toasts, validation } = useMessages();
  const hydrated = useHydrated();

  const { frame, errors, edited, busy } = useForm({
    fields: ['email', 'password'],
    onTyped: ({ email }) => onDraft({ email }),
    check: (form) => wordProblems(validateSignIn(form), validation),
    send: async ({ email: typed, password }) => {
      // What the last attempt came to says nothing about this one.
      dismissAccountToast();
      const client = await browserClient();
      const email = normalizeEmail(typed);
      const { error } = await client.auth.signInWithPassword({ email, password });
      if (error?.code === 'email_not_confirmed' || error?.code === 'phone_not_confirmed') {
        // The password was right, so this is the owner of an account that still waits for its code.
        await client.auth.resend({ type: 'signup', email });
        storePendingVerification({ email, phone: null, qrId, sentAt: Date.now() });
        return null;
      }
      if (error) {
        showAccountToast('failure', toasts.signInFailed);
        return explainAuthError(error, 'loginFailed', authErrors);
      }
      await onSignedIn();
      return null;
    },
  });

  return (
    <Form {...frame}>
      <EmailField defaultValue={draft.email} error={errors.email} onEdit={() => edited('email')} />
      <CurrentPasswordField
        label={auth.password}
        name="password"
        error={errors.password}
        onEdit={() => edited('password')}
        aside={
          <Link
            className="-my-2 inline-flex min-h-11 items-center py-2 font-medium text-primary text-sm hover:underline"
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
    </Form>
  );
}
