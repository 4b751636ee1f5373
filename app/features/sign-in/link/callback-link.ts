/** Kinds of links whose page is `/auth/callback` (wire contract, section 1.8). */
const CONFIRMED_HERE = ['signup', 'invite', 'magiclink', 'email', 'email_change'] as const;

export type ConfirmationKind = (typeof CONFIRMED_HERE)[number];

/** Why the service led here without a sign-in. */
export type CallbackRefusal =
  | 'expired'
  | 'denied'
  | 'failed'
  | 'accountExists'
  | 'addressUnproved'
  | 'addressMissing'
  | 'signInFirst';

/** A session as the service puts it into a fragment. */
export interface CallbackSession {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** A new password is to be chosen in it. */
  readonly isRecovery: boolean;
}

/** What an address of `/auth/callback` asks for. */
export type CallbackLink =
  | { readonly kind: 'confirm'; readonly type: ConfirmationKind; readonly tokenHash: string }
  | { readonly kind: 'exchange'; readonly code: string }
  /** Opened already: by a link that an operator made, or for a browser that can make no proof key. */
  | { readonly kind: 'session'; readonly session: CallbackSession }
  | { readonly kind: 'refused'; readonly why: CallbackRefusal }
  | { readonly kind: 'confirmedHalf' }
  | { readonly kind: 'nothing' };

/** Reads query and fragment. Errors come in either; a proof to confirm and a session come in the fragment alone. */
export function readCallbackLink({ search, hash }: { readonly search: string; readonly hash: string }): CallbackLink {
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const read = (name: string) => fragment.get(name) ?? query.get(name);

  if (read('error') !== null || read('error_code') !== null) {
    return { kind: 'refused', why: reasonOf(read('error'), read('error_code')) };
  }
  const type = CONFIRMED_HERE.find((kind) => kind === fragment.get('type'));
  const tokenHash = fragment.get('token_hash');
  if (type !== undefined && tokenHash !== null) return { kind: 'confirm', type, tokenHash };
  const [accessToken, refreshToken] = [fragment.get('access_token'), fragment.get('refresh_token')];
  if (accessToken !== null && refreshToken !== null) {
    const isRecovery = fragment.get('type') === 'recovery';
    return { kind: 'session', session: { accessToken, refreshToken, isRecovery } };
  }
  // The first of the two links that a changed address needs.
  if (fragment.get('message') !== null) return { kind: 'confirmedHalf' };
  const code = query.get('code');
  // A sticker's code is none of ours to exchange.
  return code === null || code.startsWith('tgt-') ? { kind: 'nothing' } : { kind: 'exchange', code };
}

const REFUSAL_BY_CODE: ReadonlyMap<string | null, CallbackRefusal> = new Map([
  ['otp_expired', 'expired'],
  ['flow_state_expired', 'expired'],
  ['reauthentication_needed', 'signInFirst'],
  ['user_already_exists', 'accountExists'],
  ['provider_email_needs_verification', 'addressUnproved'],
  ['email_address_not_provided', 'addressMissing'],
]);

function reasonOf(error: string | null, code: string | null): CallbackRefusal {
  return REFUSAL_BY_CODE.get(code) ?? (error === 'access_denied' ? 'denied' : 'failed');
}
