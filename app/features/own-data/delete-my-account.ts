import { browserClient } from '#app/lib/browser-client.ts';

export type DeletionOutcome = 'deleted' | 'wrongPassword' | 'tooManyAttempts' | 'signInIsOld' | 'failed';

/**
 * Deletes the account that is signed in. A password is proved first, in this session: an address need not name one account
 * alone. Throws where no response came.
 */
export async function deleteAccount(password: string | null): Promise<DeletionOutcome> {
  const client = await browserClient();
  if (password !== null) {
    const { error } = await client.auth.updateUser({ current_password: password });
    if (error?.code === 'current_password_invalid') return 'wrongPassword';
    if (error?.status === 429) return 'tooManyAttempts';
    if (error) return 'failed';
  }
  const { error } = await client.rpc('delete_my_account');
  if (error === null) return 'deleted';
  return error.code === 'PT403' ? 'signInIsOld' : 'failed';
}
