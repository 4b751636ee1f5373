import { useEffect, useState } from 'react';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { type DevelopmentCode, fetchDevelopmentCode } from '#app/verification/development-code.ts';
import { ONE_TIME_CODE_TRIES } from '#domain/account/validate-credentials.ts';
import type { PendingVerification } from './pending-verification.ts';

/** The codes that a development server accepts. Never shown in production. */
export function DevelopmentNotice({ pending }: { readonly pending: PendingVerification }) {
  const { verification } = useTexts();
  const codes = useDevelopmentCode(pending);
  return (
    <Alert tone="warning" title={verification.developmentTitle}>
      {pending.sentBy !== 'email' && <p>{verification.developmentNotice}</p>}
      <dl className="mt-2 flex flex-col gap-y-1">
        <Code
          name={verification.currentCode}
          code={pending.wrongCodes < ONE_TIME_CODE_TRIES ? codes?.code : verification.codeSpent}
        />
        <Code name={verification.backupCode} code={codes?.backupCode} />
      </dl>
    </Alert>
  );
}

function Code({ name, code }: { readonly name: string; readonly code: string | null | undefined }) {
  if (!code) return null;
  return (
    <div className="flex flex-wrap gap-x-4">
      <dt className="min-w-[8em]">{name}</dt>
      <dd className="font-mono font-semibold tracking-widest">{code}</dd>
    </div>
  );
}

/** Fetches the code again after each one sent. */
function useDevelopmentCode({ email, sentAt }: PendingVerification): DevelopmentCode | null {
  const [codes, setCodes] = useState<DevelopmentCode | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new time means a new code
  useEffect(() => {
    let gone = false;
    void fetchDevelopmentCode(email).then((fetched) => {
      if (!gone) setCodes(fetched);
    });
    return () => {
      gone = true;
    };
  }, [email, sentAt]);
  return codes;
}
