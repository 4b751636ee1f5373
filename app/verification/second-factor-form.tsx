import { useEffect, useState } from 'react';
import { browserClient } from '#app/lib/browser-client.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { CodeForm } from './code-form.tsx';
import { explainAuthError } from './explain-auth-error.ts';
import { RecoveryCodeForm } from './recovery-code-form.tsx';
import { loadSecondFactors, proveSecondFactor, type SecondFactor } from './second-factor.ts';
import { SendPhoneCode } from './send-phone-code.tsx';

interface SecondFactorFormProps {
  /** The session is raised. */
  readonly onProved: () => Promise<void>;
}

/** Asks for a code of a second factor, or for a recovery code in its place. */
export function SecondFactorForm({ onProved }: SecondFactorFormProps) {
  const { authErrors, secondFactor } = useMessages();
  const factors = useSecondFactors();
  const [chosen, setChosen] = useState<string | null>(null);
  const [challengeId, setChallengeId] = useState<string | null>(null);
  const [recovering, setRecovering] = useState(false);
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0];

  const prove = async (code: string) => {
    if (factor === undefined) return authErrors.unreachable;
    const refused = await proveSecondFactor(await browserClient(), factor.id, code, challengeId);
    if (refused === null) {
      await onProved();
      return null;
    }
    return refused.code === 'mfa_verification_failed'
      ? secondFactor.invalidCode
      : explainAuthError(refused, 'unavailable', authErrors);
  };

  if (recovering) return <RecoveryCodeForm onProved={onProved} onBack={() => setRecovering(false)} />;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-ink-soft">{factor?.kind === 'phone' ? secondFactor.textPhone : secondFactor.text}</p>
      {factors.length > 1 && (
        <SelectField
          label={secondFactor.which}
          value={factor?.id}
          onChange={(event) => {
            setChosen(event.target.value);
            setChallengeId(null);
          }}
        >
          {factors.map(({ id, kind, name }) => (
            <option key={id} value={id}>
              {name ?? secondFactor.kinds[kind]}
            </option>
          ))}
        </SelectField>
      )}
      {factor?.kind === 'phone' && <SendPhoneCode factorId={factor.id} onSent={setChallengeId} />}
      <CodeForm
        label={secondFactor.codeLabel}
        action={secondFactor.verify}
        acting={secondFactor.verifying}
        send={prove}
      >
        <Button variant="quiet" className="px-3! text-sm!" onClick={() => setRecovering(true)}>
          {secondFactor.useRecoveryCode}
        </Button>
      </CodeForm>
    </div>
  );
}

/** Those of this session's account. None until they are here; sending a code without one says why. */
function useSecondFactors(): readonly SecondFactor[] {
  const [factors, setFactors] = useState<readonly SecondFactor[]>([]);
  useEffect(() => {
    let gone = false;
    browserClient()
      .then(loadSecondFactors)
      .then(
        (loaded) => gone || setFactors(loaded),
        () => {},
      );
    return () => {
      gone = true;
    };
  }, []);
  return factors;
}
