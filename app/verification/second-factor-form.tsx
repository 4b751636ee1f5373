import { useCallback, useEffect, useState } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { loadSecondFactors, proveSecondFactor, type SecondFactor } from '#app/data/second-factor.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { SelectField } from '#app/ui/field/fields.tsx';
import { CodeForm } from './code-form.tsx';
import { explainAppCodeError, explainTextedCodeError } from './explain-factor-error.ts';
import { PasskeyInstead, SecurityKey } from './passkey-instead.tsx';
import { RecoveryCodeForm } from './recovery-code-form.tsx';
import { SendPhoneCode } from './send-phone-code.tsx';

interface SecondFactorFormProps {
  /** Called when the session is raised. */
  readonly onProved: () => Promise<void>;
}

/** A code that was sent to a phone. */
interface SentChallenge {
  readonly id: string;
  /** How many codes were refused since. */
  readonly wrongCodes: number;
}

/** Asks for a code of a second factor, or for a recovery code instead. */
export function SecondFactorForm({ onProved }: SecondFactorFormProps) {
  const texts = useSignInTexts();
  const { authErrors, secondFactor } = texts;
  const { factors, load } = useSecondFactors();
  const [chosen, setChosen] = useState<string | null>(null);
  const [challenge, setChallenge] = useState<SentChallenge | null>(null);
  const [recovering, setRecovering] = useState(false);
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0];

  const prove = async (code: string) => {
    const tried = factor ?? (await load())[0];
    if (tried === undefined) return authErrors.unreachable;
    // Without a challenge to prove, another code would be sent and this one refused.
    if (tried.kind === 'phone' && challenge === null) return secondFactor.codeNotRequested;
    const refused = await proveSecondFactor(await browserClient(), tried.id, code, challenge?.id);
    if (refused === null) {
      await onProved();
      return null;
    }
    if (challenge === null) return explainAppCodeError(refused, texts);
    const wrongCodes = challenge.wrongCodes + 1;
    if (refused.code === 'mfa_verification_failed')
      setChallenge((latest) => (latest === challenge ? { ...challenge, wrongCodes } : latest));
    return explainTextedCodeError(refused, wrongCodes, texts);
  };

  const others = (
    <>
      <Button variant="quiet" className="px-3! text-sm!" onClick={() => setRecovering(true)}>
        {secondFactor.useRecoveryCode}
      </Button>
      <PasskeyInstead onProved={onProved} />
    </>
  );
  if (recovering) return <RecoveryCodeForm onProved={onProved} onBack={() => setRecovering(false)} />;
  return (
    <div className="flex flex-col gap-5">
      {factor?.kind !== 'webauthn' && (
        <p className="text-ink-soft">{factor?.kind === 'phone' ? secondFactor.textPhone : secondFactor.text}</p>
      )}
      {factors.length > 1 && (
        <SelectField
          label={secondFactor.which}
          value={factor?.id}
          onChange={(event) => {
            setChosen(event.target.value);
            setChallenge(null);
          }}
        >
          {factors.map(({ id, kind, name }) => (
            <option key={id} value={id}>
              {name ?? secondFactor.kinds[kind]}
            </option>
          ))}
        </SelectField>
      )}
      {factor?.kind === 'phone' && (
        <SendPhoneCode factorId={factor.id} onSent={(id) => setChallenge({ id, wrongCodes: 0 })} />
      )}
      {factor?.kind === 'webauthn' ? (
        <>
          <SecurityKey factorId={factor.id} onProved={onProved} />
          {others}
        </>
      ) : (
        <CodeForm
          label={factor?.kind === 'phone' ? secondFactor.codeLabelPhone : secondFactor.codeLabel}
          action={secondFactor.verify}
          acting={secondFactor.verifying}
          send={prove}
        >
          {others}
        </CodeForm>
      )}
    </div>
  );
}

/** Returns the factors of this session's account; empty until they are loaded. `load` requests them again. */
function useSecondFactors() {
  const [factors, setFactors] = useState<readonly SecondFactor[]>([]);
  const load = useCallback(async () => {
    const loaded = await browserClient().then(loadSecondFactors);
    setFactors(loaded);
    return loaded;
  }, []);
  useEffect(() => {
    // Submitting a code without a factor loads them again, and reports the reason where that fails.
    const loadNow = () => void load().catch(() => {});
    loadNow();
    addEventListener('online', loadNow);
    return () => removeEventListener('online', loadNow);
  }, [load]);
  return { factors, load };
}
