import { ClaimsRefused } from '#server/tokens/claims-refused.ts';
import type { ResolvedCaller } from '#server/tokens/resolve-caller.ts';

/** How realtime refuses a token. A join uses the code and the message; other replies use only the message. */
export interface TokenRefusal {
  readonly code: string;
  readonly message: string;
}

/** `now` in milliseconds since the epoch. */
export function tokenRefusal({ reason, cause }: ResolvedCaller & { ok: false }, now: number): TokenRefusal {
  if (reason === 'malformed') return { code: 'MalformedJWT', message: 'The token provided is not a valid JWT' };
  if (reason === 'expired') return { code: 'InvalidJWTToken', message: expired(expiryOf(cause), now) };
  if (reason !== 'refused') return SESSION_ENDED;
  if (cause instanceof ClaimsRefused) return { code: 'InvalidJWTToken', message: claimsMessage(cause) };
  return { code: 'JwtSignatureError', message: 'Failed to validate JWT signature' };
}

/** The first message is that of Supabase, which requires only these two. */
function claimsMessage({ missing, message }: ClaimsRefused): string {
  if (missing.includes('role') || missing.includes('exp')) return 'Fields `role` and `exp` are required in JWT';
  return `The claims of the JWT are not for this service: ${message}`;
}

/** `expiresAt` in unix seconds, `now` in milliseconds. */
export function expired(expiresAt: number, now: number): string {
  return `Token has expired ${Math.max(0, Math.floor(now / 1000 - expiresAt))} seconds ago`;
}

export const SESSION_ENDED: TokenRefusal = {
  code: 'InvalidJWTToken',
  message: 'Session from session_id claim in JWT does not exist',
};

/** For servers whose configuration disables public channels. */
export const PRIVATE_ONLY = 'PrivateOnly: This server only allows private channels';

/** The token library puts the claims of an expired token into its error. */
function expiryOf(cause: unknown): number {
  if (typeof cause !== 'object' || cause === null || !('payload' in cause)) return 0;
  const { payload } = cause;
  return typeof payload === 'object' && payload !== null && 'exp' in payload && typeof payload.exp === 'number'
    ? payload.exp
    : 0;
}
