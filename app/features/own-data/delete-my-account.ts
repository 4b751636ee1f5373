import type { AppClient } from '#app/lib/app-client.ts';
import { browserClient, createPassingClient } from '#app/lib/browser-client.ts';

export type DeletionOutcome = 'deleted' | 'wrongPassword' | 'tooManyAttempts' | 'signInIsOld' | 'failed';

/**
 * Deletes the account that is signed in. With credentials the password is proved first, in a session of its own, so
 * that this browser's stays what it is when the account is kept after all. Throws where no answer came.
 */
export async function deleteAccount(
  credentials: { readonly email: string; readonly password: string } | null,
): Promise<DeletionOutcome> {
  if (credentials === null) return askToDelete(await browserClient());
  const client = await createPassingClient();
  const { error } = await client.auth.signInWithPassword(credentials);
  if (error?.code === 'invalid_credentials') return 'wrongPassword';
  if (error?.status === 429) return 'tooManyAttempts';
  if (error) return 'failed';
  const outcome = await askToDelete(client);
  if (outcome !== 'deleted') await client.auth.signOut({ scope: 'local' });
  return outcome;
}

async function askToDelete(client: AppClient): Promise<DeletionOutcome> {
  const { error } = await client.rpc('delete_my_account');
  if (error === null) return 'deleted';
  return error.code === 'PT403' ? 'signInIsOld' : 'failed';
}
