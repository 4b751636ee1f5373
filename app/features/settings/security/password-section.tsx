import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import type { Account } from '#app/data/profile.ts';
import { CurrentPasswordField } from '#app/form/current-password-field.tsx';
import { explainPasswordError } from '#app/form/explain-auth-error.ts';
import { NewPasswordField } from '#app/form/new-password-field.tsx';
import { useForm, wordProblems } from '#app/form/use-form.ts';
import { useFormInPlace } from '#app/form/use-form-in-place.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { Form, FormActions } from '#app/ui/field/form.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { validateNewPassword } from '#domain/account/validate-credentials.ts';
import { profileWords } from '#words/profile.ts';
import { useSecurityTexts } from './use-security-texts.ts';

/** Changes the password, or sets the first one of an account without one. */
export function PasswordSection({ profile }: { readonly profile: Account }) {
  const security = useSecurityTexts();
  const { isOpen, open, close, opener, placeId } = useFormInPlace(profile.needsPassword);
  return (
    <Card id={placeId} className="flex flex-col gap-4">
      <div>
        <h2 className="font-bold text-xl">{security.password}</h2>
        <p className="text-ink-soft text-sm">
          {profile.hasPassword ? security.passwordText : security.passwordMissing}
        </p>
      </div>
      {isOpen ? (
        <PasswordForm profile={profile} onDone={close} />
      ) : (
        <Button ref={opener} variant="outline" className="self-start" onClick={open}>
          {security.changePassword}
        </Button>
      )}
    </Card>
  );
}

interface PasswordFormProps {
  readonly profile: Account;
  readonly onDone: () => void;
}

function PasswordForm({ profile, onDone }: PasswordFormProps) {
  const texts = useSignInTexts();
  const { newPassword, recentProof, validation } = texts;
  const { profile: profileTexts } = profileWords(useLanguage());
  const security = useSecurityTexts();
  const { passwordLength } = usePublicConfig();
  const { revalidate } = useRevalidator();
  const { withRecentProof, proofDialog } = useRecentProof();
  const asksForCurrent = profile.hasPassword;

  const { frame, errors, edited, busy } = useForm({
    fields: ['current', 'password'],
    check: ({ current, password }) => ({
      ...(asksForCurrent && current === '' && { current: validation.passwordRequired }),
      ...wordProblems(validateNewPassword({ password }, passwordLength), validation, passwordLength),
    }),
    send: async ({ current, password }) => {
      const { auth } = await browserClient();
      const { error } = await withRecentProof(() =>
        auth.updateUser({ password, ...(asksForCurrent && { current_password: current }) }),
      );
      if (error?.code === 'current_password_invalid') return { current: recentProof.currentPasswordWrong };
      if (error) return explainPasswordError(error, 'passwordFailed', texts);
      showToast('success', security.passwordChanged, { about: 'security' });
      await revalidate();
      onDone();
      return null;
    },
  });

  return (
    <>
      <Form {...frame}>
        {/* Tells a password manager which account the password belongs to. */}
        <input type="email" autoComplete="username" value={profile.email} readOnly hidden />
        {asksForCurrent && (
          <CurrentPasswordField
            label={recentProof.currentPassword}
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
          cancel={profileTexts.cancel}
          onCancel={onDone}
        />
      </Form>
      {proofDialog}
    </>
  );
}
