import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { browserClient } from '#app/lib/browser-client.ts';
import type { Profile } from '#app/lib/profile.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Form } from '#app/ui/form.tsx';
import { CodeForm } from './code-form.tsx';
import { CurrentPasswordField } from './current-password-field.tsx';
import { explainAuthError } from './explain-auth-error.ts';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useForm } from './use-form.ts';

/** What a call to a service came to. */
interface Outcome {
  readonly error: { readonly code?: string | undefined } | null;
}

/** Makes a call; where the session is too old for it, has its owner prove who they are and makes it again. */
type WithRecentProof = <Result extends Outcome>(call: () => PromiseLike<Result>) => Promise<Result>;

/** What its owner can prove with. */
type Means = Pick<Profile, 'hasPassword' | 'secondFactors'>;

const MeansContext = createContext<Means>({ hasPassword: true, secondFactors: [] });

/** Says to `useRecentProof` what the account can prove with. */
export function RecentProofMeans({ profile, children }: { readonly profile: Means; readonly children: ReactNode }) {
  return <MeansContext value={profile}>{children}</MeansContext>;
}

/**
 * For calls that change what can sign in or recover, or that concern an account as a whole:
 * `const { error } = await withRecentProof(() => auth.updateUser({ phone }))`. A proof that is not given leaves the first
 * outcome. `proofDialog` stands where the call is made, inside of its dialog if there is one.
 */
export function useRecentProof(): { readonly withRecentProof: WithRecentProof; readonly proofDialog: ReactNode } {
  const { common, recentProof } = useMessages();
  const { hasPassword, secondFactors } = useContext(MeansContext);
  const [asking, setAsking] = useState(false);
  const answer = useRef<(proved: boolean) => void>(() => {});

  const withRecentProof = useCallback<WithRecentProof>(async (call) => {
    const first = await call();
    if (!needsProof(first)) return first;
    setAsking(true);
    const proved = await new Promise<boolean>((resolve) => {
      answer.current = resolve;
    });
    setAsking(false);
    return proved ? call() : first;
  }, []);

  const proofDialog = (
    <Dialog
      open={asking}
      onOpenChange={(open) => open || answer.current(false)}
      title={recentProof.title}
      closeLabel={common.close}
    >
      {secondFactors.length > 0 ? (
        <SecondFactorForm onProved={async () => answer.current(true)} />
      ) : (
        <Proof hasPassword={hasPassword} onProved={() => answer.current(true)} />
      )}
    </Dialog>
  );
  return { withRecentProof, proofDialog };
}

/** The auth service and the data service each say it in their own way. */
function needsProof({ error }: Outcome): boolean {
  return error?.code === 'reauthentication_needed' || error?.code === 'PT403';
}

interface ProofProps {
  readonly hasPassword: boolean;
  readonly onProved: () => void;
}

function Proof({ hasPassword, onProved }: ProofProps) {
  const { authErrors, recentProof, security, validation } = useMessages();
  const [by, setBy] = useState<'password' | 'code'>(hasPassword ? 'password' : 'code');
  const { frame, errors, edited, busy } = useForm({
    fields: ['current'],
    check: ({ current }) => (current === '' ? { current: validation.passwordRequired } : {}),
    send: async ({ current }) => {
      const { auth } = await browserClient();
      const { error } = await auth.updateUser({ current_password: current });
      if (error?.code === 'current_password_invalid') return { current: security.currentPasswordWrong };
      if (error) return explainAuthError(error, 'unavailable', authErrors);
      onProved();
      return null;
    },
  });

  if (by === 'code') return <ProofByCode onProved={onProved} />;
  return (
    <>
      <p className="text-ink-soft">{recentProof.text}</p>
      <Form {...frame}>
        <CurrentPasswordField
          label={security.currentPassword}
          name="current"
          error={errors.current}
          onEdit={() => edited('current')}
        />
        <Button type="submit" size="large" wide busy={busy}>
          {recentProof.confirm}
        </Button>
        <Button variant="quiet" className="px-3! text-sm!" onClick={() => setBy('code')}>
          {recentProof.useCode}
        </Button>
      </Form>
    </>
  );
}

/** A code to what the account has proved: its address, or else its number. */
function ProofByCode({ onProved }: Pick<ProofProps, 'onProved'>) {
  const { authErrors, recentProof, secondFactor } = useMessages();
  const [sent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  const ask = async () => {
    const { auth } = await browserClient();
    const { error } = await auth.reauthenticate();
    if (error?.code === 'validation_failed') setRefusal(recentProof.unreachable);
    else if (error) setRefusal(explainAuthError(error, 'unavailable', authErrors));
    else setSent(true);
  };
  const prove = async (code: string) => {
    const { auth } = await browserClient();
    const { error } = await auth.updateUser({ nonce: code });
    if (error?.code === 'reauthentication_not_valid') return authErrors.invalidCode;
    if (error) return explainAuthError(error, 'unavailable', authErrors);
    onProved();
    return null;
  };

  if (sent) {
    return (
      <>
        <p className="text-ink-soft">{recentProof.codeSent}</p>
        <CodeForm
          label={recentProof.codeLabel}
          action={recentProof.confirm}
          acting={secondFactor.verifying}
          send={prove}
        />
      </>
    );
  }
  return (
    <>
      <p className="text-ink-soft">{recentProof.codeText}</p>
      {refusal !== null && <Alert>{refusal}</Alert>}
      <Button
        size="large"
        wide
        busy={busy}
        onClick={() => {
          setRefusal(null);
          setBusy(true);
          void ask()
            .catch(() => setRefusal(authErrors.unreachable))
            .finally(() => setBusy(false));
        }}
      >
        {secondFactor.sendCode}
      </Button>
    </>
  );
}
