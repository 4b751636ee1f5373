import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { showAccountToast } from '#app/lib/account/account-toast.ts';
import { pathAfterSignIn } from '#app/lib/return-path.ts';
import { currentSession, mayHaveSession, owesSecondFactor } from '#app/lib/session.ts';
import { forgetSession } from '#app/lib/sign-out.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { readPendingVerification } from './pending-verification.ts';

interface SignInEnd {
  /** Whether it is known that nobody is signed in here, so that the form may be shown. */
  readonly isSettled: boolean;
  /** The password was right, and the account has a second factor. */
  readonly owesFactor: boolean;
  /** After a password or a second factor: asks for the one that is still owed, else says so and goes on. */
  readonly signedIn: () => Promise<void>;
  /** To the item of the code in hand, to the page that asked for signing in, or to the dashboard. */
  readonly goOn: () => Promise<void>;
  /** Forgets the session that waits for its second factor. */
  readonly giveUp: () => Promise<void>;
}

/**
 * What follows a right password. A person who is signed in already when the screen opens goes on at once: until that is
 * known, `mayBeSignedIn` keeps the form away.
 */
export function useSignInEnd(qrId: string | null, leavesWhenSignedIn: boolean, mayBeSignedIn: boolean): SignInEnd {
  const { toasts } = useMessages();
  const navigate = useNavigate();
  const [owesFactor, setOwesFactor] = useState(false);
  const [isSettled, setSettled] = useState(!(mayBeSignedIn && leavesWhenSignedIn));

  const goOn = async () => {
    await navigate(pathAfterSignIn(qrId), { replace: true });
  };

  const arrive = async () => {
    if (await owesSecondFactor()) setOwesFactor(true);
    // The form stays away until the next screen takes its place.
    else if (leavesWhenSignedIn && (await currentSession()) !== null) return goOn();
    setSettled(true);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the screen opens; signing in on it goes its own way
  useEffect(() => {
    if (!mayHaveSession() || readPendingVerification() !== null) {
      setSettled(true);
      return;
    }
    // Without a connection the form is shown; sending it will say so.
    arrive().catch(() => setSettled(true));
  }, []);

  return {
    isSettled,
    owesFactor,
    goOn,
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
      await forgetSession();
    },
  };
}
