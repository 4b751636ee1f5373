import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { showAccountToast } from '#app/client/account-toast.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { currentSession, owesSecondFactor } from '#app/client/current-session.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { pathAfterSignIn } from '#app/client/return-path.ts';
import { sessionStorageKey } from '#app/client/session/stored-session.ts';
import { mayHaveSession } from '#app/client/session.ts';
import { clearSession } from '#app/client/sign-out.ts';
import { clearStoredTagCode } from '#app/client/stored-tag-code.ts';
import { loadAccountChanges } from '#app/data/changes/account-changes.ts';
import { canClaimCode } from '#app/data/tag-codes.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { clearPendingVerification } from './verify/pending-verification.ts';

interface SignInEnd {
  /** Whether it is known that no user is signed in, so that the form can be shown. */
  readonly isSettled: boolean;
  /** Whether the password was correct and a second factor is required. */
  readonly owesFactor: boolean;
  /**
   * Call it after a password or a second factor: asks for a required second factor, else reports success and navigates
   * on.
   */
  readonly signedIn: () => Promise<void>;
  /**
   * After a new password: shows what was added to the account lately. Without anything, it navigates to the item of the
   * stored code, to the page that required the sign-in, or to the dashboard.
   */
  readonly recovered: () => Promise<void>;
  /** Removes the session that waits for its second factor. */
  readonly giveUp: () => Promise<void>;
}

interface SignInEndOptions {
  readonly qrId: string | null;
  /** False for a code that no visitor can claim. */
  readonly canBeClaimed: boolean;
  readonly leavesWhenSignedIn: boolean;
  readonly mayBeSignedIn: boolean;
}

/**
 * Returns the code whose item signing in leads to. One that no visitor can claim may be the user's own; any other leads
 * nowhere, and is forgotten.
 */
async function ownCode({
  qrId,
  canBeClaimed,
}: Pick<SignInEndOptions, 'qrId' | 'canBeClaimed'>): Promise<string | null> {
  if (qrId === null || canBeClaimed) return qrId;
  const isOwn = await browserClient()
    .then((client) => canClaimCode(client, qrId))
    .catch(() => false);
  if (isOwn) return qrId;
  clearStoredTagCode();
  return null;
}

/**
 * What follows a correct password. A user who is already signed in is redirected at once; until that is known,
 * `mayBeSignedIn` hides the form.
 */
export function useSignInEnd(options: SignInEndOptions): SignInEnd {
  const { leavesWhenSignedIn, mayBeSignedIn } = options;
  const { toasts } = useTexts();
  const navigate = useNavigate();
  const [owesFactor, setOwesFactor] = useState(false);
  const [isSettled, setSettled] = useState(!(mayBeSignedIn && leavesWhenSignedIn));

  const goOn = async () => {
    await navigate(pathAfterSignIn(await ownCode(options)), { replace: true });
  };

  const arrive = async () => {
    if (await owesSecondFactor()) setOwesFactor(true);
    // The form stays hidden until the next screen replaces it.
    else if (leavesWhenSignedIn && (await currentSession()) !== null) {
      // Its code is used up, or not needed any more.
      clearPendingVerification();
      return goOn();
    }
    setSettled(true);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the screen opens; signing in on it is handled separately
  useEffect(() => {
    // Without a connection the form is shown; sending it reports the problem.
    const arriveIfSignedIn = () => {
      if (mayHaveSession()) arrive().catch(() => setSettled(true));
      else setSettled(true);
    };
    arriveIfSignedIn();
    // Another tab has signed in, such as the one that the link in the email opened.
    const key = sessionStorageKey(readPublicConfig().storagePrefix);
    const follow = (event: StorageEvent) => {
      if (event.key === key && event.oldValue === null && event.newValue !== null) arriveIfSignedIn();
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, []);

  return {
    isSettled,
    owesFactor,
    recovered: async () => {
      const client = await browserClient();
      const { additions } = await loadAccountChanges(client).catch(() => ({ additions: [] }));
      // What a thief added comes first.
      if (additions.length === 0) await goOn();
      else await navigate('/profile/security#changes', { replace: true });
    },
    signedIn: async () => {
      if (await owesSecondFactor()) {
        setOwesFactor(true);
        return;
      }
      showAccountToast('success', toasts.signedIn);
      await goOn();
    },
    giveUp: async () => {
      setOwesFactor(false);
      await clearSession();
    },
  };
}
