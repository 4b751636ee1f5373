import { useEffect, useState } from 'react';
import { backgroundClient } from '#app/client/background-client.ts';
import { currentSession } from '#app/client/current-session.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { supportsPasskeys } from '#app/passkeys/passkey-support.ts';
import { addPasskey, loadPasskeys } from '#app/passkeys/passkeys.ts';
import { Button } from '#app/ui/button.tsx';
import { QuietLine } from '#app/ui/notice/quiet-line.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { dashboardWords } from '#words/dashboard.ts';
import { securityWords } from '#words/security.ts';

/** How long after a sign-in a passkey is offered: about as long as its proof is recent, so that nothing else is asked. */
const AFTER_SIGN_IN_MS = 24 * 60 * 60_000;

/** The owner has a passkey or another service to sign in with. */
const NEEDS_NONE: readonly string[] = ['passkey', 'oauth'];

/** The offer that is due, and the sign-in for which it is, in milliseconds. */
interface FoundOffer {
  readonly Offer: typeof PasskeyOffer;
  readonly signedInAt: number;
}

const keyOf = (userId: string) => `${readPublicConfig().storagePrefix}_passkey_offer_${userId}`;

/**
 * Returns the offer to sign in with a passkey next time; null where it is not due. It is made after a sign-in, once for
 * each account and browser, where this device verifies its user and the account has no passkey. Until it is taken or declined, it
 * stays for this sign-in.
 */
export async function findPasskeyOffer(): Promise<FoundOffer | null> {
  if (!supportsPasskeys()) return null;
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return null;
  const session = await currentSession();
  const signIn = session && (await readSignIn());
  if (!signIn || NEEDS_NONE.includes(signIn.method) || Date.now() - signIn.at > AFTER_SIGN_IN_MS) return null;
  const mark = localStorage.getItem(keyOf(session.user.id));
  if (mark !== null && mark !== String(signIn.at)) return null;
  if ((await loadPasskeys()).length > 0) return null;
  return { Offer: PasskeyOffer, signedInAt: signIn.at };
}

/** Returns how and when this session began, in milliseconds; undefined where its token does not say. */
async function readSignIn(): Promise<{ readonly method: string; readonly at: number } | undefined> {
  const { auth } = await backgroundClient();
  const { data } = await auth.mfa.getAuthenticatorAssuranceLevel();
  const [first] = (data?.currentAuthenticationMethods ?? [])
    .flatMap((entry) => (typeof entry === 'string' ? [] : [{ method: entry.method, at: entry.timestamp * 1000 }]))
    .toSorted((one, other) => one.at - other.at);
  return first;
}

interface PasskeyOfferProps {
  readonly userId: string;
  readonly signedInAt: number;
  readonly onEnd: () => void;
}

function PasskeyOffer({ userId, signedInAt, onEnd }: PasskeyOfferProps) {
  const language = useLanguage();
  const { passkeyOffer: offer } = dashboardWords(language);
  const { passkeys: texts } = securityWords(language);
  const { withRecentProof, proofDialog } = useRecentProof();
  const [busy, setBusy] = useState(false);
  // Only what was shown counts: another line may come first.
  useEffect(() => localStorage.setItem(keyOf(userId), String(signedInAt)), [userId, signedInAt]);

  const end = () => {
    localStorage.setItem(keyOf(userId), 'ended');
    onEnd();
  };
  const add = async () => {
    setBusy(true);
    const added = await addPasskey(withRecentProof).catch(() => 'failed' as const);
    setBusy(false);
    if (added === 'done') {
      showToast('success', texts.addedNow, { about: 'passkeys' });
      end();
    } else if (added !== 'canceled') showToast('failure', texts.addFailed, { about: 'passkeys' });
  };
  return (
    <QuietLine>
      {proofDialog}
      <p>{offer.text}</p>
      <div className="-ms-3 flex flex-wrap sm:ms-0">
        <Button variant="quiet" className="px-3! text-sm!" busy={busy} onClick={() => void add()}>
          {texts.add}
        </Button>
        <Button variant="quiet" className="px-3! text-sm!" onClick={end}>
          {offer.later}
        </Button>
      </div>
    </QuietLine>
  );
}
