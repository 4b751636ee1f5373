import { type ReactNode, useState } from 'react';
import { useHydrated } from '#app/browser/use-hydrated.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { explainAuthError, secondsOfGap } from '#app/form/explain-auth-error.ts';
import { PhoneField } from '#app/form/phone-field.tsx';
import { checkTypedPhone, readTypedPhone } from '#app/form/read-typed-phone.ts';
import { useForm } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { CodeForm } from '#app/verification/code-form.tsx';
import { sentAtOf } from '#app/verification/sent-code.ts';
import { useCountdown } from '#app/verification/use-countdown.ts';
import { useSentCode } from '#app/verification/use-sent-code.ts';
import { maskPhone } from '#domain/account/mask-phone.ts';

/** Signs in with a code to a proved number. Does not reveal whether an account has the number. */
export function PhoneSignInForm({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  const texts = useSignInTexts();
  const { auth, authErrors } = texts;
  const { codeGapSeconds } = usePublicConfig();
  const hydrated = useHydrated();
  const [sent, setSent] = useState<SentCode | null>(null);
  const [asksAgain, setAsksAgain] = useState(false);
  const { frame, errors, edited, busy } = useForm({
    fields: ['phone', 'country'],
    check: (form) => checkTypedPhone(form, texts),
    send: async (form) => {
      const phone = await readTypedPhone(form);
      if (phone === null) return { phone: auth.phoneInvalid };
      const client = await browserClient();
      const { error } = await client.auth.signInWithOtp({ phone, options: { shouldCreateUser: false } });
      const seconds = error && secondsOfGap(error);
      if (error && seconds === null) return explainAuthError(error, 'unavailable', authErrors);
      const nextAt = seconds === null ? null : Date.now() + seconds * 1000;
      const sentAt = seconds === null ? Date.now() : sentAtOf(seconds, codeGapSeconds);
      setSent((before) => {
        const isSameCode = nextAt !== null && before?.phone === phone;
        return isSameCode ? { ...before, nextAt } : { phone, sentAt, nextAt, number: (before?.number ?? 0) + 1 };
      });
      setAsksAgain(false);
      return null;
    },
  });

  const phoneForm = (
    <Form {...frame}>
      <PhoneField
        hint={auth.phoneSignInHint}
        error={errors.phone}
        onEdit={() => edited('phone')}
        defaultValue={sent?.phone ?? ''}
      />
      <Button type="submit" size="large" wide busy={busy} disabled={!hydrated}>
        {auth.sendSignInCode}
      </Button>
    </Form>
  );
  if (sent === null) return phoneForm;
  return (
    <div className="flex flex-col gap-8">
      {/* Another code has all its attempts, and an empty field. */}
      <EnterCode key={sent.number} sent={sent} onSignedIn={onSignedIn}>
        {!asksAgain && (
          <Button variant="quiet" className="px-3! text-sm!" onClick={() => setAsksAgain(true)}>
            {auth.resendOrChangeNumber}
          </Button>
        )}
      </EnterCode>
      {asksAgain && phoneForm}
    </div>
  );
}

interface SentCode {
  /** E.164. */
  readonly phone: string;
  /** Which of the codes requested here. */
  readonly number: number;
  /** In milliseconds since the epoch. */
  readonly sentAt: number;
  /** When another may be requested, in milliseconds since the epoch, if one was requested too soon. */
  readonly nextAt: number | null;
}

interface EnterCodeProps {
  readonly sent: SentCode;
  readonly onSignedIn: () => Promise<void>;
  readonly children: ReactNode;
}

function EnterCode({ sent: { phone, sentAt, nextAt }, onSignedIn, children }: EnterCodeProps) {
  const { auth, authErrors, verification } = useSignInTexts();
  const secondsLeft = useCountdown(nextAt ?? 0);
  const { explain } = useSentCode(sentAt);
  const verify = async (code: string) => {
    const client = await browserClient();
    const { error } = await client.auth.verifyOtp({ phone, token: code, type: 'sms' });
    if (error) return explain(error);
    await onSignedIn();
    return null;
  };
  return (
    <div className="flex flex-col gap-5">
      <p className="text-ink-soft">
        <WithName of={auth.phoneCodeSent} name={maskPhone(phone)} />
      </p>
      {secondsLeft > 0 && <Alert tone="info">{authErrors.askedRecently(secondsLeft)}</Alert>}
      <CodeForm label={verification.codeLabel} action={auth.signIn} acting={auth.signingIn} send={verify}>
        {children}
      </CodeForm>
    </div>
  );
}
