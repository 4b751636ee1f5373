import { useEffect, useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { type DevelopmentCode, fetchDevelopmentCode } from '#app/verification/development-code.ts';
import { stateOfCode } from '#app/verification/sent-code.ts';
import { useCountdown } from '#app/verification/use-countdown.ts';
import type { PendingVerification } from './pending-verification.ts';

/** The codes that a development server accepts, while it accepts any. Never shown in production. */
export function DevelopmentNotice({ pending }: { readonly pending: PendingVerification }) {
  const { verification } = useSignInTexts();
  const { codeLifeSeconds } = usePublicConfig();
  // Shown again when the code expires.
  useCountdown(pending.sentAt + codeLifeSeconds * 1000);
  const state = stateOfCode(pending, codeLifeSeconds);
  const codes = useDevelopmentCode(pending, state === 'open');
  return (
    <Alert tone="warning" title={verification.developmentTitle}>
      {pending.sentBy !== 'email' && <p>{verification.developmentNotice}</p>}
      <dl className="mt-2 flex flex-col gap-y-1">
        {state === 'open' ? (
          <>
            <Code name={verification.currentCode} code={codes?.code} />
            <Code name={verification.backupCode} code={codes?.backupCode} />
          </>
        ) : (
          <Code
            name={verification.currentCode}
            code={state === 'expired' ? verification.codeExpired : verification.codeSpent}
          />
        )}
      </dl>
    </Alert>
  );
}

function Code({ name, code }: { readonly name: string; readonly code: string | null | undefined }) {
  if (!code) return null;
  return (
    <div className="flex flex-wrap gap-x-4">
      <dt className="min-w-[8em]">{name}</dt>
      <dd translate="no" className="font-mono font-semibold tracking-widest">
        {code}
      </dd>
    </div>
  );
}

/** Fetches an open code, and again after each one sent and each refusal: it may have been used up elsewhere. */
function useDevelopmentCode(
  { email, sentAt, wrongCodes }: PendingVerification,
  isOpen: boolean,
): DevelopmentCode | null {
  const [codes, setCodes] = useState<DevelopmentCode | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each may mean another code
  useEffect(() => {
    if (!isOpen) return;
    let gone = false;
    void fetchDevelopmentCode(email).then((fetched) => {
      if (!gone) setCodes(fetched);
    });
    return () => {
      gone = true;
    };
  }, [email, sentAt, wrongCodes, isOpen]);
  return codes;
}
