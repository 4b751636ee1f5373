import { ArrowLeft } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { dismissAccountToast } from '#app/client/account-toast.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { OneTimeCodeField } from '#app/ui/field/one-time-code-field.tsx';
import { Alert, Refusal } from '#app/ui/notice/alert.tsx';
import { dismissToast } from '#app/ui/notice/toasts.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { ResendButton } from '#app/verification/resend-button.tsx';
import { maskPhone } from '#domain/account/mask-phone.ts';
import { readOneTimeCode } from '#domain/account/read-one-time-code.ts';
import { ONE_TIME_CODE_LENGTH } from '#domain/account/validate-credentials.ts';
import { DevelopmentNotice } from './development-notice.tsx';
import { clearPendingVerification, FIXED_CODE_NOTICE, type PendingVerification } from './pending-verification.ts';
import { useResend } from './use-resend.ts';
import { useVerification } from './use-verification.ts';

interface VerificationFormProps {
  readonly pending: PendingVerification;
  /** Called before the pending verification is removed. */
  readonly onGiveUp: () => void;
}

/** Accepts the code that was sent. The back link removes the pending verification. */
export function VerificationForm({ pending, onGiveUp }: VerificationFormProps) {
  const { verification } = useSignInTexts();
  const { development, codesGoBySms } = usePublicConfig();
  const wentByEmail = (pending.sentBy ?? (codesGoBySms ? 'sms' : 'email')) === 'email';
  const toPhone =
    pending.phone === null ? (
      verification.sent
    ) : (
      <WithName of={verification.sentToPhone} name={maskPhone(pending.phone)} />
    );
  const [code, setCode] = useState('');
  const { submit, refusal, busy } = useVerification();
  const resend = useResend(pending);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(code);
  };

  const giveUp = () => {
    onGiveUp();
    clearPendingVerification();
    dismissAccountToast();
    dismissToast(FIXED_CODE_NOTICE);
  };

  if (pending.sentBy === 'operator') {
    return (
      <>
        <p className="text-ink-soft">{verification.askOperator}</p>
        <Button variant="quiet" className="-ms-3 self-start px-3! text-sm!" onClick={giveUp}>
          <ArrowLeft className="size-5 rtl:-scale-x-100" aria-hidden="true" />
          {verification.back}
        </Button>
      </>
    );
  }
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="flex flex-col gap-6">
      <p className="text-ink-soft">{wentByEmail ? verification.sentToEmail(pending.email) : toPhone}</p>
      {pending.wasSentBefore && resend.secondsLeft > 0 && (
        <Alert tone="info">{verification.alreadySent(resend.secondsLeft)}</Alert>
      )}
      {development && <DevelopmentNotice pending={pending} />}
      <OneTimeCodeField
        label={verification.codeLabel}
        digitLabel={verification.digit}
        length={ONE_TIME_CODE_LENGTH}
        value={code}
        read={readOneTimeCode}
        onChange={setCode}
        error={refusal?.text}
        advice={refusal?.advice ?? undefined}
        disabled={busy}
      />
      <Button type="submit" size="large" wide busy={busy} disabled={code.length < ONE_TIME_CODE_LENGTH}>
        {busy ? verification.verifying : verification.verify}
      </Button>
      {resend.problem !== null && <Refusal text={resend.problem} />}
      <div className="-ms-3 flex flex-wrap items-center justify-between gap-1">
        <Button variant="quiet" className="px-3! text-sm!" onClick={giveUp}>
          <ArrowLeft className="size-5 rtl:-scale-x-100" aria-hidden="true" />
          {verification.back}
        </Button>
        <ResendButton
          secondsLeft={resend.secondsLeft}
          busy={resend.busy}
          disabled={busy}
          onResend={() => void resend.submit()}
        />
      </div>
    </form>
  );
}
