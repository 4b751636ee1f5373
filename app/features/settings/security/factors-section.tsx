import { KeyRound, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import type { SecondFactor } from '#app/data/second-factor.ts';
import { formatDay } from '#app/i18n/format-date.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { PartFailed } from '#app/resilience/load-failed.tsx';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { RemoveCredential } from './remove-credential.tsx';
import { useSecurityTexts } from './use-security-texts.ts';

interface FactorsSectionProps {
  readonly factors: readonly SecondFactor[];
  /** How many recovery codes are left; null where that could not be loaded. */
  readonly codesLeft: number | null;
}

/**
 * The second factors: lists them, adds another, and creates recovery codes. Reloads the whole screen, other parts of
 * which ask for a factor where there is one.
 */
export function FactorsSection({ factors, codesLeft }: FactorsSectionProps) {
  const security = useSecurityTexts();
  const [enrolling, setEnrolling] = useState(false);
  const { withRecentProof, proofDialog } = useRecentProof();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { revalidate } = useRevalidator();

  const makeCodes = async () => {
    await browserClient()
      .then((client) => makeRecoveryCodes(client, withRecentProof))
      .then(setCodes, () => showToast('failure', security.recoveryCodesFailed, { about: 'security' }));
    await revalidate();
  };

  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="font-bold text-xl">{security.factors}</h2>
        <p className="text-ink-soft text-sm">{security.factorsText}</p>
      </div>
      {codesLeft === null && <PartFailed text={security.loadFailed} retry={revalidate} />}
      {factors.length === 0 && <p>{security.noFactors}</p>}
      {factors.length > 0 && (
        <>
          <ul className="flex flex-col divide-y divide-line">
            {factors.map((factor) => (
              <Factor key={factor.id} factor={factor} onRemoved={revalidate} />
            ))}
          </ul>
          {codesLeft !== null && <RecoveryCodes left={codesLeft} onMake={makeCodes} />}
        </>
      )}
      <Button variant="outline" className="self-start" onClick={() => setEnrolling(true)}>
        <ShieldCheck className="size-5" aria-hidden="true" />
        {security.addFactor}
      </Button>
      <EnrolDialog
        open={enrolling}
        onOpenChange={setEnrolling}
        onEnrolled={async () => {
          // The first factor comes with recovery codes, for when it is lost.
          if (factors.length === 0) await makeCodes();
          else await revalidate();
        }}
      />
      {proofDialog}
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Card>
  );
}

function Factor({ factor, onRemoved }: { readonly factor: SecondFactor; readonly onRemoved: () => Promise<void> }) {
  const { secondFactor } = useSignInTexts();
  const security = useSecurityTexts();
  const name = factor.name ?? secondFactor.kinds[factor.kind];
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere font-medium">{name}</p>
        <p className="text-ink-soft text-sm">{security.factorAdded(formatDay(factor.createdAt))}</p>
      </div>
      <RemoveCredential
        name={name}
        text={security.removeFactorText}
        removed={security.removed}
        failed={security.removeFailed}
        about="security"
        remove={(auth) => auth.mfa.unenroll({ factorId: factor.id })}
        onRemoved={onRemoved}
      />
    </li>
  );
}

function RecoveryCodes({ left, onMake }: { readonly left: number; readonly onMake: () => Promise<void> }) {
  const security = useSecurityTexts();
  const [busy, setBusy] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-sm">{security.recoveryCodesLeft(left)}</p>
      <Button
        variant="outline"
        busy={busy}
        onClick={() => {
          setBusy(true);
          void onMake().finally(() => setBusy(false));
        }}
      >
        <KeyRound className="size-5" aria-hidden="true" />
        {security.makeRecoveryCodes}
      </Button>
    </div>
  );
}
