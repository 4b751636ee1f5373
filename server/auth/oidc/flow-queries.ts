import type { Transaction } from '#server/postgres/statement.ts';
import { hashOf } from './flow-secrets.ts';

/** How long a flow may take, in milliseconds. */
const FLOW_LIFE_MS = 10 * 60_000;

export interface Flow {
  readonly provider: string;
  readonly redirectTo: string;
  readonly challenge: string | null;
  /** Set where the identity is to be linked to the account of this session. */
  readonly sessionId: string | null;
}

/** Stores a new flow and deletes expired ones. */
export async function putFlow(
  from: Transaction,
  { state, browser, flow, now }: { state: string; browser: string; flow: Flow; now: number },
): Promise<void> {
  await from.query({
    name: 'auth_put_oidc_flow',
    text: `with expired as (delete from auth.oidc_flows where expires_at <= $7)
             insert into auth.oidc_flows
               (state_hash, browser_hash, provider, redirect_to, code_challenge, session_id, expires_at)
             values ($1, $2, $3, $4, $5, $6, $8)`,
    values: [
      hashOf(state),
      hashOf(browser),
      flow.provider,
      flow.redirectTo,
      flow.challenge,
      flow.sessionId,
      new Date(now),
      new Date(now + FLOW_LIFE_MS),
    ],
  });
}

/** Returns and deletes the flow of a state. Of several concurrent callbacks, one gets it. */
export async function takeFlow(
  from: Transaction,
  { state, browser, now }: { readonly state: string; readonly browser: string; readonly now: number },
): Promise<Flow | undefined> {
  const { rows } = await from.query<Flow & { readonly expires_at: Date }>({
    name: 'auth_take_oidc_flow',
    text: `delete from auth.oidc_flows where state_hash = $1 and browser_hash = $2
             returning provider, redirect_to as "redirectTo", code_challenge as challenge,
               session_id as "sessionId", expires_at`,
    values: [hashOf(state), hashOf(browser)],
  });
  const [flow] = rows;
  return flow !== undefined && flow.expires_at.getTime() > now ? flow : undefined;
}
