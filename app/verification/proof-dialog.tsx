import { type ReactNode, useState } from 'react';
import { showAccountToast } from '#app/client/account-toast.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import type { Account } from '#app/data/profile.ts';
import { CurrentPasswordField } from '#app/form/current-password-field.tsx';
import { explainAuthError } from '#app/form/explain-auth-error.ts';
import { useForm } from '#app/form/use-form.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { CodeForm } from './code-form.tsx';
import { PasskeyInstead } from './passkey-instead.tsx';
import { ResendButton } from './resend-button.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useSentCode } from './use-sent-code.ts';

/** What the owner can prove their identity with. */
export type ProofMeans = Pick<Account, 'hasPassword' | 'secondFactors'>;

interface ProofDialogProps {
  readonly open: boolean;
  readonly means: ProofMeans;
  readonly onResponse: (proved: boolean) => void;
}

/**
 * Asks for a recent proof: a second factor where the account has one, else the password, a passkey, or a code. Where the
 * service sends none, a link of its operator's opens the account anew.
 */
export function ProofDialog({ open, means: { hasPassword, secondFactors }, onResponse }: ProofDialogProps): ReactNode {
  const { common, recentProof } = useSignInTexts();
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => isOpen || onResponse(false)}
      title={recentProof.title}
      closeLabel={common.close}
    >
      {secondFactors.length > 0 ? (
        <SecondFactorForm onProved={async () => onResponse(true)} />
      ) : (
        <Proof hasPassword={hasPassword} onProved={() => onResponse(true)} />
      )}
    </Dialog>
  );
}

interface ProofProps {
  readonly hasPassword: boolean;
  readonly onProved: () => void;
}

function Proof({ hasPassword, onProved }: ProofProps) {
  const { auth: texts, authErrors, recentProof, validation } = useSignInTexts();
  const { hasMail, hasSms } = usePublicConfig();
  const sendsCodes = hasMail || hasSms;
  const passkey = <PasskeyInstead onProved={async () => onProved()} />;
  const [by, setBy] = useState<'password' | 'code'>(hasPassword ? 'password' : 'code');
  const { frame, errors, edited, busy } = useForm({
    fields: ['current'],
    check: ({ current }) => (current === '' ? { current: validation.passwordRequired } : {}),
    send: async ({ current }) => {
      const { auth } = await browserClient();
      const { error } = await auth.updateUser({ current_password: current });
      if (error?.code === 'current_password_invalid') return { current: recentProof.currentPasswordWrong };
      if (error) return explainAuthError(error, 'unavailable', authErrors);
      onProved();
      return null;
    },
  });

  if (by === 'code') {
    return (
      <>
        {sendsCodes ? (
          <ProofByCode onProved={onProved} />
        ) : (
          <p className="text-ink-soft">{texts.leads.resetByOperator}</p>
        )}
        {passkey}
      </>
    );
  }
  return (
    <>
      <p className="text-ink-soft">{recentProof.text}</p>
      <Form {...frame}>
        <CurrentPasswordField
          label={recentProof.currentPassword}
          name="current"
          error={errors.current}
          onEdit={() => edited('current')}
        />
        <Button type="submit" size="large" wide busy={busy}>
          {recentProof.confirm}
        </Button>
        {sendsCodes ? (
          <Button variant="quiet" className="px-3! text-sm!" onClick={() => setBy('code')}>
            {recentProof.useCode}
          </Button>
        ) : (
          <p className="text-ink-soft text-sm">{texts.leads.resetByOperator}</p>
        )}
        {passkey}
      </Form>
    </>
  );
}

/** Proves the identity with a code sent to the proved address, or else to the proved number. */
function ProofByCode({ onProved }: Pick<ProofProps, 'onProved'>) {
  const { auth: texts, authErrors, recentProof, secondFactor, verification } = useSignInTexts();
  const { sentAt, secondsLeft, explain, requested } = useSentCode(null);
  const { hasMail } = usePublicConfig();
  const [sent, setSent] = useState<'now' | 'before' | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  const ask = async () => {
    const { auth } = await browserClient();
    const { error } = await auth.reauthenticate();
    if (requested(error)) {
      if (sent !== null && !error) showAccountToast('success', verification.codeSentAgain);
      setSent(error ? 'before' : 'now');
    } else if (error?.code === 'validation_failed')
      setRefusal(hasMail ? recentProof.unreachable : texts.leads.resetByOperator);
    else if (error) setRefusal(explainAuthError(error, 'codeNotSent', authErrors));
  };
  const submit = () => {
    setRefusal(null);
    setBusy(true);
    void ask()
      .catch(() => setRefusal(authErrors.unreachable))
      .finally(() => setBusy(false));
  };
  const prove = async (code: string) => {
    const { auth } = await browserClient();
    const { error } = await auth.updateUser({ nonce: code });
    if (error) return explain(error);
    onProved();
    return null;
  };

  if (sent !== null) {
    return (
      <>
        <p className="text-ink-soft">{recentProof.codeSent}</p>
        {sent === 'before' && secondsLeft > 0 && <Alert tone="info">{verification.alreadySent(secondsLeft)}</Alert>}
        {refusal !== null && <Alert>{refusal}</Alert>}
        <CodeForm
          key={sentAt}
          label={recentProof.codeLabel}
          action={recentProof.confirm}
          acting={secondFactor.verifying}
          send={prove}
        >
          <ResendButton secondsLeft={secondsLeft} busy={busy} onResend={submit} />
        </CodeForm>
      </>
    );
  }
  return (
    <>
      <p className="text-ink-soft">{hasMail ? recentProof.codeText : recentProof.codeTextSms}</p>
      {refusal !== null && <Alert>{refusal}</Alert>}
      <Button size="large" wide busy={busy} onClick={submit}>
        {secondFactor.sendCode}
      </Button>
    </>
  );
}
