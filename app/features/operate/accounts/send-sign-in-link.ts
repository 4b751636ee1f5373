import { readPublicConfig } from '#app/client/read-public-config.ts';
import { loadPart } from '#app/ui/load-part.ts';
import { callAsOperator } from '../operator-calls.ts';

/**
 * Sends the account a sign-in link, which works in any browser: without a challenge of this one. Throws where it is
 * refused.
 */
export async function sendSignInLink(accountId: string, email: string): Promise<void> {
  await callAsOperator('act_on_account', { user_id_param: accountId, act_param: 'send_link' });
  const { composeAuth } = await loadPart(() => import('#app/client/app-client.ts'));
  const auth = composeAuth({
    publishableKey: readPublicConfig().publishableKey,
    fetch: (input, init) => fetch(input, init),
    auth: {
      storageKey: 'operator',
      flowType: 'implicit',
      detectSessionInUrl: false,
      persistSession: false,
      autoRefreshToken: false,
    },
  });
  const { error } = await auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
  if (error) throw error;
}
