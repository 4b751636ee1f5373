import { KeyRound, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useRecentProof } from '#app/lib/account/recent-proof.tsx';
import { loadSecondFactors, type SecondFactor } from '#app/lib/account/second-factor.ts';
import { browserClient } from '#app/lib/browser-client.ts';
import { formatDay } from '#app/lib/format-date.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { useReloadable } from '#app/lib/use-reloadable.ts';
import { Alert } from '#app/ui/alert.tsx';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { RemoveFactor } from './remove-factor.tsx';

interface FactorsSectionProps {
  /** Null where they could not be loaded. */
  readonly loaded: Factors | null;
}

/** Second factors: which there are, another one, and codes for the day on which none is at hand. */
export function FactorsSection({ loaded }: FactorsSectionProps) {
  const { security } = useMessages();
  const [enrolling, setEnrolling] = useState(false);
  const { withRecentProof, proofDialog } = useRecentProof();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { value, failed, reload } = useReloadable(loaded, loadFactors);

  const makeCodes = async () => {
    await browserClient()
      .then((client) => makeRecoveryCodes(client, withRecentProof))
      .then(setCodes, () => showToast('failure', security.recoveryCodesFailed, { about: 'security' }));
    await reload();
  };

  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h3 className="font-semibold text-lg">{security.factors}</h3>
        <p className="text-ink-soft text-sm">{security.factorsText}</p>
      </div>
      {failed && <Alert tone="warning">{security.loadFailed}</Alert>}
      {value?.factors.length === 0 && <p>{security.noFactors}</p>}
      {value !== null && value.factors.length > 0 && (
        <>
          <ul className="flex flex-col divide-y divide-line">
            {value.factors.map((factor) => (
              <Factor key={factor.id} factor={factor} onRemoved={reload} />
            ))}
          </ul>
          <RecoveryCodes left={value.codesLeft} onMake={makeCodes} />
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
          // The first factor comes with codes for the day on which it is lost.
          if (value?.factors.length === 0) await makeCodes();
          else await reload();
        }}
      />
      {proofDialog}
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Card>
  );
}

interface Factors {
  readonly factors: readonly SecondFactor[];
  /** How many recovery codes are left. */
  readonly codesLeft: number;
}

async function loadFactors(): Promise<Factors> {
  const client = await browserClient();
  const [factors, codesLeft] = await Promise.all([loadSecondFactors(client), countRecoveryCodes(client)]);
  return { factors, codesLeft };
}

function Factor({ factor, onRemoved }: { readonly factor: SecondFactor; readonly onRemoved: () => Promise<void> }) {
  const { secondFactor, security } = useMessages();
  const name = factor.name ?? secondFactor.kinds[factor.kind];
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="wrap-anywhere font-medium">{name}</p>
        <p className="text-ink-soft text-sm">{security.factorAdded(formatDay(factor.createdAt))}</p>
      </div>
      <RemoveFactor factorId={factor.id} name={name} onRemoved={onRemoved} />
    </li>
  );
}

function RecoveryCodes({ left, onMake }: { readonly left: number; readonly onMake: () => Promise<void> }) {
  const { security } = useMessages();
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
