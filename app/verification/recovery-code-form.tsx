import { browserClient } from '#app/client/browser-client.ts';
import { proveByRecoveryCode } from '#app/data/second-factor.ts';
import { useForm } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';

interface RecoveryCodeFormProps {
  readonly onProved: () => Promise<void>;
  readonly onBack: () => void;
}

/** For users without their authenticator at hand. */
export function RecoveryCodeForm({ onProved, onBack }: RecoveryCodeFormProps) {
  const { authErrors, secondFactor } = useSignInTexts();
  const { frame, errors, edited, busy } = useForm({
    fields: ['code'],
    check: ({ code }) => (code.trim() === '' ? { code: secondFactor.recoveryRequired } : {}),
    send: async ({ code }) => {
      switch (await proveByRecoveryCode(await browserClient(), code)) {
        case 'proved':
          await onProved();
          return null;
        case 'wrong':
          return { code: secondFactor.recoveryInvalid };
        case 'tooMany':
          return authErrors.tooManyAttempts;
        case 'failed':
          return authErrors.codeNotChecked;
      }
    },
  });

  return (
    <Form {...frame}>
      <p className="text-ink-soft">{secondFactor.recoveryText}</p>
      <TextField
        label={secondFactor.recoveryLabel}
        name="code"
        dir="ltr"
        autoComplete="off"
        enterKeyHint="go"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        onChange={() => edited('code')}
        error={errors.code}
      />
      <Button type="submit" size="large" wide busy={busy}>
        {busy ? secondFactor.verifying : secondFactor.verify}
      </Button>
      <Button variant="quiet" className="px-3! text-sm!" onClick={onBack}>
        {secondFactor.useAuthenticator}
      </Button>
    </Form>
  );
}
