import type { AuthError } from '@supabase/supabase-js';
import { type ReactNode, useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { secondsOfGap } from '#app/form/explain-auth-error.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { CodeForm } from '#app/verification/code-form.tsx';
import { sentAtOf } from '#app/verification/sent-code.ts';
import { useCountdown } from '#app/verification/use-countdown.ts';
import { useSentCode } from '#app/verification/use-sent-code.ts';

/** By what the account is found: a number in E.164, or an email address. */
export type SignInName = { readonly phone: string } | { readonly email: string };

interface SentSignInCode {
  readonly to: SignInName;
  /** Which of the codes requested here. */
  readonly number: number;
  /** In milliseconds since the epoch. */
  readonly sentAt: number;
  /** When another may be requested, in milliseconds since the epoch, if one was requested too soon. */
  readonly nextAt: number | null;
}

/** Requests codes for signing in. The service does not say whether there is an account. */
export function useSignInCode() {
  const { codeGapSeconds } = usePublicConfig();
  const [sent, setSent] = useState<SentSignInCode | null>(null);
  const [asksAgain, setAsksAgain] = useState(false);

  /** Returns why none is on its way, or null. */
  const request = async (to: SignInName): Promise<AuthError | null> => {
    const client = await browserClient();
    const { error } = await client.auth.signInWithOtp({ ...to, options: { shouldCreateUser: false } });
    const seconds = error && secondsOfGap(error);
    if (error && seconds === null) return error;
    const nextAt = seconds === null ? null : Date.now() + seconds * 1000;
    const sentAt = seconds === null ? Date.now() : sentAtOf(seconds, codeGapSeconds);
    setSent((before) => {
      const isSameCode = nextAt !== null && before !== null && nameOf(before.to) === nameOf(to);
      return isSameCode ? { ...before, nextAt } : { to, sentAt, nextAt, number: (before?.number ?? 0) + 1 };
    });
    setAsksAgain(false);
    return null;
  };

  return {
    sent,
    request,
    /** Whether the user wants another code, or one for another name. */
    asksAgain,
    askAgain: () => setAsksAgain(true),
  };
}

interface SignInCodeProps extends Pick<EnterCodeProps, 'lead' | 'onSignedIn'> {
  readonly code: ReturnType<typeof useSignInCode>;
  /** Requests a code. */
  readonly form: ReactNode;
  /** The label of the button that shows the form again, for another code or another name. */
  readonly againLabel: string;
}

/** Shows the form, and once a code is on its way the field for it. */
export function SignInCode({ code: { sent, asksAgain, askAgain }, form, againLabel, ...entry }: SignInCodeProps) {
  if (sent === null) return form;
  return (
    <div className="flex flex-col gap-8">
      {/* Another code has all its attempts, and an empty field. */}
      <EnterCode key={sent.number} sent={sent} {...entry}>
        {!asksAgain && (
          <Button variant="quiet" className="px-3! text-sm!" onClick={askAgain}>
            {againLabel}
          </Button>
        )}
      </EnterCode>
      {asksAgain && form}
    </div>
  );
}

interface EnterCodeProps {
  readonly sent: SentSignInCode;
  /** Says where the code is, without saying whether there is an account. */
  readonly lead: ReactNode;
  readonly onSignedIn: () => Promise<void>;
  /** What stands below the code's button. */
  readonly children: ReactNode;
}

function EnterCode({ sent, lead, onSignedIn, children }: EnterCodeProps) {
  const { auth, authErrors, verification } = useSignInTexts();
  const secondsLeft = useCountdown(sent.nextAt ?? 0);
  const { explain } = useSentCode(sent.sentAt);
  const verify = async (token: string) => {
    const client = await browserClient();
    const { error } = await client.auth.verifyOtp(
      'phone' in sent.to ? { ...sent.to, token, type: 'sms' } : { ...sent.to, token, type: 'email' },
    );
    if (error) return explain(error);
    await onSignedIn();
    return null;
  };
  return (
    <div className="flex flex-col gap-5">
      <p className="text-ink-soft">{lead}</p>
      {secondsLeft > 0 && <Alert tone="info">{authErrors.askedRecently(secondsLeft)}</Alert>}
      <CodeForm label={verification.codeLabel} action={auth.signIn} acting={auth.signingIn} send={verify}>
        {children}
      </CodeForm>
    </div>
  );
}

function nameOf(name: SignInName): string {
  return 'phone' in name ? name.phone : name.email;
}
