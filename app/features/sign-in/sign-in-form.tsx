import { Link } from 'react-router';
import { useHydrated } from '#app/browser/use-hydrated.ts';
import { dismissAccountToast, showAccountToast } from '#app/client/account-toast.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { CurrentPasswordField } from '#app/form/current-password-field.tsx';
import { EmailField } from '#app/form/email-field.tsx';
import { explainAuthError, secondsOfGap } from '#app/form/explain-auth-error.ts';
import { useForm, wordProblems } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { sentAtOf } from '#app/verification/sent-code.ts';
import { normalizeEmail, validateSignIn } from '#domain/account/validate-credentials.ts';
import type { DraftProps } from './account-draft.ts';
import { authModePath } from './auth-path.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { storePendingVerification } from './verify/pending-verification.ts';

interface SignInFormProps extends DraftProps {
  readonly qrId: string | null;
  readonly routeCode: string | undefined;
  /** The password was correct. A second factor may still be required. */
  readonly onSignedIn: () => Promise<void>;
}

export function SignInForm({ qrId, routeCode, draft, onDraft, onSignedIn }: SignInFormProps) {
  const { auth, authErrors, toasts, validation, verification } = useSignInTexts();
  const { hasMail, codeGapSeconds } = usePublicConfig();
  const hydrated = useHydrated();

  const { frame, errors, edited, busy } = useForm({
    fields: ['email', 'password'],
    onTyped: ({ email }) => onDraft({ email }),
    check: (form) => wordProblems(validateSignIn(form), validation),
    send: async ({ email: typed, password }) => {
      // The previous attempt's notice no longer applies.
      dismissAccountToast();
      const client = await browserClient();
      const email = normalizeEmail(typed);
      const { error } = await client.auth.signInWithPassword({ email, password });
      if (error?.code === 'email_not_confirmed' || error?.code === 'phone_not_confirmed') {
        // The password was correct, so this is the owner of an account that still waits for its code.
        const { error: unsent } = await client.auth.resend({ type: 'signup', email });
        // What this tab knows of the registration, if it was canceled here.
        const known = draft.givenUp?.email === email ? draft.givenUp : { email, phone: null, qrId };
        const seconds = unsent && secondsOfGap(unsent);
        if (unsent === null) {
          storePendingVerification({ ...known, sentAt: Date.now(), wrongCodes: 0, wasSentBefore: false });
        } else if (seconds !== null) {
          storePendingVerification({ ...known, sentAt: sentAtOf(seconds, codeGapSeconds), wasSentBefore: true });
        } else if (unsent.code === 'email_provider_disabled') {
          storePendingVerification({ ...known, sentBy: 'operator', sentAt: Date.now() });
        } else if (unsent.code === 'sms_held_back') {
          return hasMail ? verification.textsHeldBack : verification.askOperator;
        } else {
          showAccountToast('failure', toasts.resendFailed);
          return explainAuthError(unsent, 'unavailable', authErrors);
        }
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
      <EmailField defaultValue={draft.email} error={errors.email} onEdit={() => edited('email')} suggestsPasskeys />
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
      <PasskeySignIn onSignedIn={onSignedIn} />
      {hasMail && (
        <LinkButton variant="outline" size="large" wide to={authModePath(routeCode, 'link')}>
          {auth.signInByLink}
        </LinkButton>
      )}
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
