import { Copy, Smartphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '#app/browser/clipboard/copy-text.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { proveSecondFactor } from '#app/data/second-factor.ts';
import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { Alert } from '#app/ui/notice/alert.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { Spinner } from '#app/ui/waiting.tsx';
import { CodeForm } from '#app/verification/code-form.tsx';
import { explainAppCodeError } from '#app/verification/explain-factor-error.ts';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { useSecurityTexts } from './use-security-texts.ts';

interface EnrolDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onEnrolled: () => Promise<void>;
}

/** Enrolls an authenticator app: its QR code and key, and the first code, which enables it. */
export function EnrolDialog({ open, onOpenChange, onEnrolled }: EnrolDialogProps) {
  const { common } = useSignInTexts();
  const security = useSecurityTexts();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={security.enrolTitle} closeLabel={common.close}>
      <Enrolment
        onEnrolled={async () => {
          onOpenChange(false);
          showToast('success', security.enrolled, { about: 'security' });
          await onEnrolled();
        }}
      />
    </Dialog>
  );
}

interface Offer {
  readonly factorId: string;
  /** An SVG as a URL. */
  readonly picture: string;
  readonly secret: string;
  /** The content of the QR code. An authenticator app on this device can open it. */
  readonly address: string;
}

function Enrolment({ onEnrolled }: { readonly onEnrolled: () => Promise<void> }) {
  const texts = useSignInTexts();
  const security = useSecurityTexts();
  const { withRecentProof, proofDialog } = useRecentProof();
  const offer = useOffer(withRecentProof);

  if (offer === 'failed') return <Alert>{security.enrolFailed}</Alert>;
  if (offer === null) {
    return (
      <>
        <Spinner className="size-8 self-center text-primary" />
        {proofDialog}
      </>
    );
  }

  const confirm = async (code: string) => {
    const refused = await proveSecondFactor(await browserClient(), offer.factorId, code);
    if (refused === null) {
      await onEnrolled();
      return null;
    }
    return explainAppCodeError(refused, texts);
  };
  const copy = () =>
    copyText(offer.secret, { copied: security.copied, failed: security.copyFailed, about: 'security' });

  return (
    <>
      <p className="text-ink-soft">{security.enrolScan}</p>
      {/* Cameras need a QR code that is dark on light. */}
      <img
        src={offer.picture}
        alt={security.enrolQr}
        className="size-48 self-center rounded-md bg-white p-2 forced-color-adjust-none"
      />
      <div className="flex flex-col gap-1">
        <p className="text-ink-soft text-sm">{security.enrolSecret}</p>
        <p translate="no" dir="ltr" className="wrap-anywhere select-all font-mono text-sm">
          {offer.secret}
        </p>
        <div className="-ms-3 flex flex-wrap">
          <Button variant="quiet" className="px-3! text-sm!" onClick={() => void copy()}>
            <Copy className="size-4" aria-hidden="true" />
            {security.copySecret}
          </Button>
          <LinkButton variant="quiet" className="px-3! text-sm!" to={offer.address}>
            <Smartphone className="size-4" aria-hidden="true" />
            {security.openAuthenticator}
          </LinkButton>
        </div>
      </div>
      <CodeForm
        label={security.enrolCode}
        action={security.enrolConfirm}
        acting={security.enrolling}
        focusesItself={false}
        send={confirm}
      />
    </>
  );
}

/** Creates a new, unverified factor. The service deletes an abandoned one when the next is created. */
function useOffer(withRecentProof: ReturnType<typeof useRecentProof>['withRecentProof']): Offer | 'failed' | null {
  const { productName } = usePublicConfig();
  const [offer, setOffer] = useState<Offer | 'failed' | null>(null);
  useEffect(() => {
    let gone = false;
    const enrol = async () => {
      const { auth } = await browserClient();
      const { data, error } = await withRecentProof(() => auth.mfa.enroll({ factorType: 'totp', issuer: productName }));
      if (error) throw error;
      return { factorId: data.id, picture: data.totp.qr_code, secret: data.totp.secret, address: data.totp.uri };
    };
    enrol().then(
      (made) => gone || setOffer(made),
      () => gone || setOffer('failed'),
    );
    return () => {
      gone = true;
    };
  }, [productName, withRecentProof]);
  return offer;
}
