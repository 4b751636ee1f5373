import type { AuthError } from '@supabase/supabase-js';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { showAccountToast } from '#app/client/account-toast.ts';
import type { AppClient } from '#app/client/app-client.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { owesSecondFactor } from '#app/client/current-session.ts';
import { pathAfterSignIn } from '#app/client/return-path.ts';
import { mayHaveSession } from '#app/client/session.ts';
import { storedTagCode } from '#app/client/stored-tag-code.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { isolateName } from '#domain/isolate-name.ts';
import { accountLinksWords } from '#words/account-links.ts';
import { clearPendingVerification } from '../verify/pending-verification.ts';
import {
  type CallbackLink,
  type CallbackRefusal,
  type CallbackSession,
  type ConfirmationKind,
  readCallbackLink,
} from './callback-link.ts';
import { NEW_PASSWORD_IN_SESSION } from './recovery-link.ts';

/** Why a link failed. */
export type CallbackFailure = CallbackRefusal | 'otherBrowser' | 'nothing';

export type CallbackState =
  | { readonly at: 'reading' | 'exchanging' | 'confirmedHalf' }
  | {
      readonly at: 'asking';
      readonly type: ConfirmationKind;
      /** The account that gets the address, in words; null where the link adds none, or no one is signed in here. */
      readonly account: string | null;
      readonly busy: boolean;
      readonly confirm: () => void;
    }
  | { readonly at: 'failed'; readonly why: CallbackFailure };

/**
 * Follows the link that led here. An authorization code is exchanged at once, because only the browser that requested
 * it can do so. A token waits for its button, so that mail scanners do not spend it; a session does, so that a link
 * cannot sign a user in without consent.
 */
export function useCallback(): CallbackState {
  const { toasts } = useTexts();
  const { confirmed } = accountLinksWords(useLanguage()).callback;
  const navigate = useNavigate();
  const [link, setLink] = useState<CallbackLink | null>(null);
  const [account, setAccount] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<CallbackFailure | 'half' | null>(null);

  const arrive = async (text: string, path: string | null) => {
    showAccountToast('success', text);
    const onward = (await owesSecondFactor()) ? '/auth?mode=login' : (path ?? pathAfterSignIn(storedTagCode()));
    await navigate(onward, { replace: true });
  };

  const exchange = async (code: string) => {
    const { error } = await (await browserClient()).auth.exchangeCodeForSession(code);
    if (error) setOutcome(failureOf(error));
    else await arrive(toasts.signedIn, null);
  };

  const adopt = async ({ accessToken, refreshToken, isRecovery }: CallbackSession) => {
    const { auth } = await browserClient();
    const { data, error } = await auth.setSession({ access_token: accessToken, refresh_token: refreshToken });
    if (error) setOutcome(failureOf(error));
    else if (isRecovery) await navigate(NEW_PASSWORD_IN_SESSION, { replace: true });
    else await arrive(toasts.signedIn, data.user?.app_metadata.password_needed === true ? '/profile/security' : null);
  };

  const confirm = async (type: ConfirmationKind, tokenHash: string) => {
    const { session, error } = await spend(await browserClient(), type, tokenHash);
    if (error) setOutcome(failureOf(error));
    // Reading the mail proves the address but does not sign in.
    else if (session === null && type === 'email') await arrive(confirmed, '/profile');
    else if (session === null) setOutcome('half');
    else {
      if (type === 'signup') clearPendingVerification();
      // An invited user has no password yet, and chooses one there.
      const needsPassword = type === 'invite' || session.user.app_metadata.password_needed === true;
      const inProfile = type === 'email' || type === 'email_change' ? '/profile' : null;
      await arrive(type === 'magiclink' ? toasts.signedIn : confirmed, needsPassword ? '/profile/security' : inProfile);
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL is read once, because its token can be used once
  useEffect(() => {
    const read = readCallbackLink(location);
    setLink(read);
    if (read.kind === 'exchange') exchange(read.code).catch(() => setOutcome('failed'));
    // Without its name the page still asks; the service decides whose link it is.
    if (read.kind === 'confirm' && ADDS_ADDRESS.includes(read.type)) {
      describeAccount().then(setAccount, () => setAccount(null));
    }
  }, []);

  if (outcome === 'half' || link?.kind === 'confirmedHalf') return { at: 'confirmedHalf' };
  if (outcome !== null) return { at: 'failed', why: outcome };
  if (link === null) return { at: 'reading' };
  if (link.kind === 'exchange') return { at: 'exchanging' };
  if (link.kind === 'nothing') return { at: 'failed', why: 'nothing' };
  if (link.kind === 'refused') return { at: 'failed', why: link.why };
  const { type, follow } =
    link.kind === 'session'
      ? ({ type: 'magiclink', follow: () => adopt(link.session) } as const)
      : { type: link.type, follow: () => confirm(link.type, link.tokenHash) };
  return {
    at: 'asking',
    type,
    account,
    busy,
    confirm: () => {
      setBusy(true);
      follow()
        .catch(() => setOutcome('failed'))
        .finally(() => setBusy(false));
    },
  };
}

/** The types of links that may add an address to the account that is signed in here. */
const ADDS_ADDRESS: readonly ConfirmationKind[] = ['email', 'email_change'];

/** Returns the name, address, and number of the account that is signed in here, or null. */
async function describeAccount(): Promise<string | null> {
  if (!mayHaveSession()) return null;
  const { data } = await (await browserClient()).auth.getSession();
  if (data.session === null) return null;
  const { email, phone, user_metadata: entered } = data.session.user;
  const name: unknown = entered.full_name;
  const number = phone ? `+${phone}` : '';
  return [typeof name === 'string' ? isolateName(name) : '', email ?? '', number].filter(Boolean).join(', ');
}

async function spend(client: AppClient, type: ConfirmationKind, tokenHash: string) {
  const { data, error } = await client.auth.verifyOtp({ token_hash: tokenHash, type });
  return { session: data.session, error };
}

function failureOf(error: AuthError): CallbackFailure {
  if (error.name === 'AuthPKCECodeVerifierMissingError' || error.code === 'bad_code_verifier') return 'otherBrowser';
  if (error.code === 'reauthentication_needed') return 'signInFirst';
  if (error.code === 'otp_expired' || error.code === 'session_not_found' || error.code?.startsWith('flow_state_'))
    return 'expired';
  return 'failed';
}
