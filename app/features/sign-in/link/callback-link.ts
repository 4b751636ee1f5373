/** The types of links that lead to `/auth/callback` (docs/protocol/auth.md, Links). */
const CONFIRMED_HERE = ['signup', 'invite', 'magiclink', 'email', 'email_change'] as const;

export type ConfirmationKind = (typeof CONFIRMED_HERE)[number];

/** Why the service redirected here without a sign-in. */
export type CallbackRefusal =
  | 'expired'
  | 'denied'
  | 'failed'
  | 'accountExists'
  | 'addressUnproved'
  | 'addressMissing'
  | 'signInFirst';

/** A session in the fragment. */
export interface CallbackSession {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Whether it is for choosing a new password. */
  readonly isRecovery: boolean;
}

/** What a URL of `/auth/callback` requests. */
export type CallbackLink =
  | { readonly kind: 'confirm'; readonly type: ConfirmationKind; readonly tokenHash: string }
  | { readonly kind: 'exchange'; readonly code: string }
  /** Already open: from an operator's link, or for a browser that cannot create a proof key. */
  | { readonly kind: 'session'; readonly session: CallbackSession }
  | { readonly kind: 'refused'; readonly why: CallbackRefusal }
  | { readonly kind: 'confirmedHalf' }
  | { readonly kind: 'nothing' };

/** Parses query and fragment. Errors come in either; a token to confirm and a session only come in the fragment. */
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
  // The first of the two links that a change of address needs.
  if (fragment.get('message') !== null) return { kind: 'confirmedHalf' };
  const code = query.get('code');
  // A sticker's code is not an authorization code.
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
