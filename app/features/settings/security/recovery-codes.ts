import type { useRecentProof } from '#app/lib/account/recent-proof.tsx';
import type { AppClient } from '#app/lib/app-client.ts';

/** New codes in place of all older ones; nobody is told them again. Throws the data service's error. */
export async function makeRecoveryCodes(
  client: AppClient,
  withRecentProof: ReturnType<typeof useRecentProof>['withRecentProof'],
): Promise<string[]> {
  const { data, error } = await withRecentProof(() => client.rpc('make_recovery_codes'));
  if (error) throw error;
  // The database function returns text[].
  return data as string[];
}

/** Throws the data service's error. */
export async function countRecoveryCodes(client: AppClient): Promise<number> {
  const { data, error } = await client.rpc('count_recovery_codes');
  if (error) throw error;
  // The database function returns an integer.
  return data as number;
}
