import { useHydrated } from '#app/browser/use-hydrated.ts';
import { EmailField } from '#app/form/email-field.tsx';
import { explainAddressError } from '#app/form/explain-auth-error.ts';
import { useForm, wordProblems } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { normalizeEmail, validateReset } from '#domain/account/validate-credentials.ts';
import type { DraftProps } from './account-draft.ts';
import { SignInCode, useSignInCode } from './sign-in-code.tsx';

interface EmailSignInFormProps extends DraftProps {
  readonly onSignedIn: () => Promise<void>;
}

/**
 * Signs in with an emailed link, which opens on any device, or with the code beside it. Does not reveal whether an
 * account has the address.
 */
export function EmailSignInForm({ draft, onDraft, onSignedIn }: EmailSignInFormProps) {
  const { auth, authErrors, validation } = useSignInTexts();
  const hydrated = useHydrated();
  const code = useSignInCode();
  const { sent, request } = code;
  const { frame, errors, edited, busy } = useForm({
    fields: ['email'],
    onTyped: onDraft,
    check: (form) => wordProblems(validateReset(form), validation),
    send: async ({ email }) => {
      const refused = await request({ email: normalizeEmail(email) });
      return refused && explainAddressError(refused, 'unavailable', authErrors);
    },
  });

  const form = (
    <Form {...frame}>
      <EmailField enterKeyHint="send" defaultValue={draft.email} error={errors.email} onEdit={() => edited('email')} />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {busy ? auth.sendingSignInLink : auth.sendSignInLink}
      </Button>
    </Form>
  );
  const known = sent !== null && 'email' in sent.to ? sent.to.email : '';
  return (
    <SignInCode
      code={code}
      form={form}
      lead={<WithName of={auth.signInLinkSent} name={known} />}
      againLabel={auth.resendOrChangeEmail}
      onSignedIn={onSignedIn}
    />
  );
}
