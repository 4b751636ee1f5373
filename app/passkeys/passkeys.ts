import { browserClient } from '#app/client/browser-client.ts';
import type { WithRecentProof } from '#app/verification/recent-proof.tsx';

/** A passkey of the account. Times are ISO 8601. */
export interface Passkey {
  readonly id: string;
  /** Null where it has none. */
  readonly name: string | null;
  readonly createdAt: string;
  readonly usedAt: string | null;
}

/** Lists the passkeys of this session's account. Throws the service's error. */
export async function loadPasskeys(): Promise<Passkey[]> {
  const { auth } = await browserClient();
  const { data, error } = await auth.passkey.list();
  if (error) throw error;
  return data.map(({ id, friendly_name, created_at, last_used_at }) => ({
    id,
    name: friendly_name ?? null,
    createdAt: created_at,
    usedAt: last_used_at ?? null,
  }));
}

/** What came of a new passkey. `canceled` is the user's decision, which needs no message. */
type Added = 'done' | 'canceled' | 'hasOne' | 'tooMany' | 'failed';

/** What came of showing one. `unknown` is one that the service refused, as it does one that was removed. */
export type Shown = 'done' | 'canceled' | 'unknown' | 'failed';

/** Makes a passkey on this device, or on another one that the browser offers. Call it from a click. */
export async function addPasskey(withRecentProof: WithRecentProof): Promise<Added> {
  const { auth } = await browserClient();
  const { error } = await withRecentProof(() => auth.registerPasskey());
  if (error?.code === 'too_many_passkeys') return 'tooMany';
  if (error?.code === 'webauthn_credential_exists' || error?.name === 'InvalidStateError') return 'hasOne';
  if (error === null) return 'done';
  return isCanceled(error) ? 'canceled' : 'failed';
}

/** Signs in with a passkey that the browser lets the user choose. Call it from a click. */
export async function showPasskey(): Promise<Shown> {
  const { auth } = await browserClient();
  return outcomeOf((await auth.signInWithPasskey()).error);
}

/** Shows a security key as the second factor. Call it from a click. */
export async function showSecurityKey(factorId: string): Promise<Shown> {
  const { auth } = await browserClient();
  return outcomeOf((await auth.mfa.webauthn.authenticate({ factorId })).error);
}

/** How long one request waits for the user. The service's challenge is valid for half a minute longer. */
const ROUND_MS = 4.5 * 60_000;

/**
 * Lists passkeys among the browser's suggestions for the address, until `stop` is aborted. Returns what came of the one
 * that was chosen; `canceled` where none was. Nobody asked for the suggestions, so their own failure needs no message.
 */
export async function suggestPasskeys(stop: AbortSignal): Promise<Shown> {
  const { auth } = await browserClient();
  while (!stop.aborted) {
    const round = new AbortController();
    const end = () => round.abort();
    stop.addEventListener('abort', end);
    const timer = setTimeout(end, ROUND_MS);
    const { error } = await auth.signInWithPasskey({ options: { mediation: 'conditional', signal: round.signal } });
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
    if (!round.signal.aborted) return error === null || isRefused(error) ? outcomeOf(error) : 'canceled';
  }
  return 'canceled';
}

interface Refusal {
  readonly name: string;
  readonly code?: string | undefined;
  /** Of the service's response. */
  readonly status?: number | undefined;
}

/** Whether the service refused the passkey itself, rather than one more request. */
function isRefused({ status = 0 }: Refusal): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function outcomeOf(error: Refusal | null): Shown {
  if (error === null) return 'done';
  if (error.code === 'webauthn_verification_failed') return 'unknown';
  return isCanceled(error) ? 'canceled' : 'failed';
}

/** The browser says the same of a user who closed its dialog and of one who waited too long. */
function isCanceled({ name, code }: Refusal): boolean {
  return name === 'NotAllowedError' || name === 'AbortError' || code === 'ERROR_CEREMONY_ABORTED';
}
