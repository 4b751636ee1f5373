import { ArrowLeft } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { dismissAccountToast } from '#app/lib/account/account-toast.ts';
import { usePublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { OneTimeCodeField } from '#app/ui/one-time-code-field.tsx';
import { maskPhone } from '#domain/mask-phone.ts';
import { ONE_TIME_CODE_LENGTH } from '#domain/validate-credentials.ts';
import { DevelopmentNotice } from './development-notice.tsx';
import { clearPendingVerification, type PendingVerification } from './pending-verification.ts';
import { useResend } from './use-resend.ts';
import { useVerification } from './use-verification.ts';

interface VerificationFormProps {
  readonly pending: PendingVerification;
  /** Called before what is pending is forgotten. */
  readonly onGiveUp: () => void;
}

/** Takes the code that was sent. The way back forgets what is pending. */
export function VerificationForm({ pending, onGiveUp }: VerificationFormProps) {
  const { verification } = useMessages();
  const { development, codesGoBySms } = usePublicConfig();
  const toPhone = pending.phone === null ? verification.sent : verification.sentToPhone(maskPhone(pending.phone));
  const [code, setCode] = useState('');
  const { submit, error, busy } = useVerification();
  const resend = useResend(pending);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit(code);
  };

  const giveUp = () => {
    onGiveUp();
    clearPendingVerification();
    dismissAccountToast();
  };

  return (
    <form method="post" noValidate onSubmit={onSubmit} className="flex flex-col gap-6">
      <p className="text-ink-soft">{codesGoBySms ? toPhone : verification.sentToEmail(pending.email)}</p>
      {pending.wasSentBefore && resend.secondsLeft > 0 && (
        <Alert tone="info">{verification.alreadySent(resend.secondsLeft)}</Alert>
      )}
      {development && <DevelopmentNotice pending={pending} />}
      <OneTimeCodeField
        label={verification.codeLabel}
        digitLabel={verification.digit}
        length={ONE_TIME_CODE_LENGTH}
        value={code}
        onChange={setCode}
        error={error ?? undefined}
        disabled={busy}
      />
      <Button type="submit" size="large" wide busy={busy} disabled={code.length < ONE_TIME_CODE_LENGTH}>
        {busy ? verification.verifying : verification.verify}
      </Button>
      <div className="-ms-3 flex flex-wrap items-center justify-between gap-1">
        <Button variant="quiet" className="px-3! text-sm!" onClick={giveUp}>
          <ArrowLeft className="size-5 rtl:-scale-x-100" aria-hidden="true" />
          {verification.back}
        </Button>
        <Button
          variant="quiet"
          className="px-3! text-sm!"
          busy={resend.busy}
          disabled={resend.secondsLeft > 0}
          onClick={() => void resend.submit()}
        >
          {resend.secondsLeft > 0 ? verification.resendIn(resend.secondsLeft) : verification.resend}
        </Button>
      </div>
    </form>
  );
}
